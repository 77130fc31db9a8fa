/**
 * The second half of an update, run from the version to come: `node update-main.ts <installation>`.
 * It needs no packages, as those may be on their way from one folder to another.
 */
import { runSecondHalf } from './run-update.ts'
import { exitCodes } from './terminal/exit-codes.ts'
import { faultText } from './terminal/fault-text.ts'
import { OperatorError } from './terminal/operator-error.ts'
import { printable } from './terminal/style.ts'

try {
  await runSecondHalf(String(process.argv[2]))
} catch (error) {
  console.error(printable(error instanceof OperatorError ? error.message : faultText(error)))
  process.exitCode = exitCodes.failed
}
process.stdout.write('', () => process.exit())
