import { CommanderError } from 'commander'
import product from '../product/product.ts'
import { findProductMistakes } from '../shared/product.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { program } from './program.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { faultText } from './terminal/fault-text.ts'
import { OperatorError } from './terminal/operator-error.ts'
import { printable } from './terminal/style.ts'

// Whoever reads our output may have read enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.done)
  throw error
})

try {
  const mistakes = findProductMistakes({ ...product })
  if (mistakes.length > 0)
    throw new OperatorError(mistakes.map((mistake) => `product.config.ts: ${mistake}`).join('\n'))
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.misused
  } else if (error instanceof OperatorError || error instanceof StoreUnavailable) {
    console.error(printable(error.message))
    process.exitCode = exitCodes.failed
  } else {
    console.error(printable(faultText(error)))
    process.exitCode = exitCodes.failed
  }
}

// A mail server that hands a message over would send any other code back to whoever wrote it, which
// may be anybody. This one it keeps, and tries again.
const isMailAlias = process.argv[2] === 'suppress' && process.argv.includes('-')
const isDone = [undefined, exitCodes.done, exitCodes.partly].some((one) => one === process.exitCode)
if (isMailAlias && !isDone) process.exitCode = exitCodes.tryAgain

// Everything is written and closed. A store's library may go on trying for minutes what nobody waits
// for any more, also when the store has long been back.
process.stdout.write('', () => process.exit())
