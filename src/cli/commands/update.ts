import { isPackage } from '../../product/folders.mjs'
import { OperatorError } from '../../terminal/operator-error.ts'
import { run } from '../run.ts'
import { type UpdateOptions, update } from '../update/update.ts'

export async function fromCommandLine(options: UpdateOptions): Promise<void> {
  // In a folder of the founder's own, our code is a package, and npm brings the next version.
  if (isPackage)
    throw new OperatorError(
      'Here the program is a package: "npm install opening-bell@latest --save-exact" updates it. Make a back-up first, and restart the server after it.',
    )
  await run({}, ({ say }) => update(options, say))
}
