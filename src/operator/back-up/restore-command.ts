import type { Command } from 'commander'

/** What `restore` is given on its command line. */
export interface RestoreArguments {
  readonly check?: boolean
  readonly json?: boolean
  /** A file as `age-keygen` writes it. */
  readonly identity?: string
  /** A file with the key that sealed the copy. */
  readonly sealKey?: string
  readonly listIsRight?: boolean
  readonly ignoreClock?: boolean
}

/** Gives `restore` its options and its help. */
export function describeRestore(command: Command): Command {
  return command
    .description('add what a copy has and the store has not')
    .option('--check', 'only check the copy')
    .option('--identity <file>', 'what opens a copy that is encrypted to a recipient of age')
    .option('--seal-key <file>', 'the key that sealed the copy, otherwise BACKUP_SEAL_KEY')
    .option('--list-is-right', 'believe the copy whatever its seal; alone: let announcements leave')
    .option('--ignore-clock', "take a copy that was made later than this machine's clock says")
    .addHelpText(
      'after',
      `
A copy is sealed with seal.key of the data folder, which is in no copy. Where the seal is wrong, or
cannot be checked, the list comes back, but no opening and none of the keys that it can do without.
No announcement leaves then until you have looked at the list and say --list-is-right.
docs/backups.md has all of it.`,
    )
}
