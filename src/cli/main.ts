import { CommanderError } from 'commander'
import { productMistakes } from '../product/product.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import { program } from './program.ts'
import { errorInWords } from './words/refusals.ts'

// The reader of our output may stop early, as `head` does.
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

// At any other code, a mail server returns the message to its sender, who may be forged. At this
// one it keeps the message and tries again.
const isMailAlias = process.argv[2] === 'suppress' && process.argv.includes('-')
const isDone = [undefined, exitCodes.done, exitCodes.partly].some((one) => one === process.exitCode)
if (isMailAlias && !isDone) process.exitCode = exitCodes.tryAgain

// Everything is written and closed. A store's library may retry for minutes what nobody waits for.
process.stdout.write('', () => process.exit())
