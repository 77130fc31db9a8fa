import { CommanderError } from 'commander'
import { productMistakes } from '../product/product.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import { program } from './program.ts'
import { errorInWords } from './words/refusals.ts'

// Whoever reads our output may have read enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done)
  throw error
})

try {
  const mistakes = productMistakes()
  if (mistakes.length > 0) throw new OperatorError(mistakes.join('\n'))
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof CommanderError)) console.error(errorInWords(error))
  const isHelp = error instanceof CommanderError && error.exitCode === 0
  const isMisuse = error instanceof CommanderError && !isHelp
  process.exitCode = isHelp ? exitCodes.done : isMisuse ? exitCodes.misused : exitCodes.failed
}

// A mail server that hands a message over would send any other code back to whoever wrote it, which
// may be anybody. This one it keeps, and tries again.
const isMailAlias = process.argv[2] === 'suppress' && process.argv.includes('-')
const isDone = [undefined, exitCodes.done, exitCodes.partly].some((one) => one === process.exitCode)
if (isMailAlias && !isDone) process.exitCode = exitCodes.tryAgain

// Everything is written and closed. A store's library may go on trying for minutes what nobody waits
// for any more, also when the store has long been back.
process.stdout.write('', () => process.exit())
