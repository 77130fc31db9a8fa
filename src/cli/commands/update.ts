import { type Command, InvalidArgumentError } from 'commander'
import { isPackage } from '../../product/folders.mjs'
import { OperatorError } from '../../terminal/operator-error.ts'
import { run } from '../run.ts'
import { type UpdateOptions, update } from '../update/update.ts'

/** Gives `update` its options and its help, and what it does. */
export function addUpdate(command: Command): void {
  command
    .description('bring this installation to the newest version, and go back if it is not ready')
    .option('--check', 'only say what would change')
    .option('--stop <command>', 'what stops the server, where systemd does not run it')
    .option('--start <command>', 'what starts it, without waiting until it is ready')
    .option(
      '--ready-within <seconds>',
      'how long the new version may take to be ready',
      seconds,
      60,
    )
    .addHelpText('after', '\nThe same command ends an interrupted update: docs/updating.md.')
    .action((options: UpdateOptions) => {
      // In a folder of the founder's own, our code is a package, and npm brings the next version.
      if (isPackage)
        throw new OperatorError(
          'Here the program is a package: "npm install opening-bell@latest --save-exact" updates it. Make a back-up first, and restart the server after it.',
        )
      return run({}, ({ say }) => update(options, say))
    })
}

function seconds(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Must be a whole number of seconds.')
}
