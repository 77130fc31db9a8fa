import { CommanderError } from 'commander'
import product, { productMistakes } from '../product/product.ts'
import { keepTimeIn } from '../product/time-zone.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { Misuse, OperatorError } from '../terminal/operator-error.ts'
import { programWith } from './program.ts'

/**
 * Does what a command line says, and sets the exit code of the process. An error is said on standard
 * error, in one line where it is the operator's to mend.
 *
 * @param args what stands after the tool's name.
 */
export async function operate(args: readonly string[]): Promise<void> {
  keepTimeIn(product?.zone)
  try {
    const mistakes = productMistakes()
    const asksForHelp = args.some((arg) => arg === '--help' || arg === '-h')
    if (mistakes.length > 0 && !asksForHelp) throw new OperatorError(mistakes.join('\n'))
    const program = await programWith(args[0])
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      const { errorInWords } = await import('./words/refusals.ts')
      console.error(errorInWords(error))
    }
    const isHelp = error instanceof CommanderError && error.exitCode === 0
    const isMisuse = error instanceof CommanderError || error instanceof Misuse
    process.exitCode = isHelp ? exitCodes.done : isMisuse ? exitCodes.misused : exitCodes.failed
  }

  // At any other code, a mail server returns the message to its sender, who may be forged. At this
  // one it keeps the message and tries again.
  const isMailAlias = args[0] === 'suppress' && args.includes('-')
  const isDone = [undefined, exitCodes.done, exitCodes.partly].some(
    (one) => one === process.exitCode,
  )
  if (isMailAlias && !isDone) process.exitCode = exitCodes.tryAgain
}
