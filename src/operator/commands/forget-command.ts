import { type Command, InvalidArgumentError, Option } from 'commander'

/** Adds the options and the help of `forget`; `--since` and `--until` are shared with others. */
export function describeForget(command: Command): Command {
  return command
    .description('erase an address for good, or many after a flood')
    .addOption(
      new Option(
        '--matching <pattern>',
        "addresses like '*@example.com'; more than once",
      ).argParser((pattern: string, before: string[] = []) => [...before, pattern]),
    )
    .option('--mailbox <email>', 'all addresses of its mailbox, with any dots and +tags')
    .option('--yes-count <number>', 'forget them, if their count is this', readCount)
    .addHelpText(
      'after',
      `
Many are only shown and counted at first. With that count, the same command forgets them. It may be
stopped at any time; look again then, and count what is left.`,
    )
}

/** `--yes-count`. @throws InvalidArgumentError */
export function readCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Must be the number that the look before gave.')
}
