import { type Command, Option } from 'commander'

/** What `backup` is given on its command line. */
export interface BackupArguments {
  readonly output?: string
  readonly keep?: string
  readonly to?: string
  readonly recipient?: string[]
  /** Ask for one. */
  readonly passphrase?: boolean
  readonly rehearse?: boolean
  readonly json?: boolean | undefined
}

/** Gives `backup` its options and its help. */
export function describeBackup(command: Command): Command {
  return command
    .description('copy the list and all that is known of it, while the server runs')
    .option('--output <file>', 'one copy, without the keys')
    .option(
      '--keep <days,weeks,months>',
      'a copy with the keys into a folder; then remove all but the last of so many days, weeks and months',
    )
    .option('--rehearse', 'restore the newest copy of the folder into a scratch list, and compare')
    .option('--to <folder>', 'the folder, otherwise BACKUP_TO')
    .addOption(
      new Option(
        '--recipient <age1…>',
        'with --keep: encrypt to a recipient of age, otherwise BACKUP_RECIPIENTS; more than once',
      ).argParser((one: string, before: string[] = []) => [...before, one]),
    )
    .option('--passphrase', 'with --keep: ask for a passphrase to encrypt with')
    .addHelpText(
      'after',
      `
One of --output, --keep 7,4,12 and --rehearse. Nothing is removed before the new copy is there, and
nothing that this list has not made.
Letters are in no copy: they are files in DATA_DIR/letters. Copy that folder yourself.
docs/backups.md has all of it.`,
    )
}
