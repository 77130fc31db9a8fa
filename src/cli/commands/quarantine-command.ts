import { type Command, Option } from 'commander'
import { Misuse } from '../../terminal/operator-error.ts'
import { readCount } from './counted-first.ts'
import type { QuarantineEnd } from './end-quarantine.ts'

export interface QuarantineArguments {
  readonly list?: boolean
  readonly release?: boolean
  readonly erase?: boolean
  readonly sign?: readonly string[]
  readonly domain?: readonly string[]
  readonly since?: string
  readonly until?: string
  readonly yesCount?: number
  readonly json?: boolean
  readonly output?: string
}

/** Adds the options and the help of `quarantine`; `--since` and `--until` are shared with others. */
export function describeQuarantine(command: Command): Command {
  const several = (name: string, before: string[] = []) => [...before, name]
  return command
    .description('show the sign-ups with signs of a robot, and release or erase them')
    .option('--list', 'list them, with their signs')
    .option('--release', 'let them be mailed')
    .option('--erase', 'forget them')
    .addOption(
      new Option('--sign <name>', 'only those with this sign; may be repeated').argParser(several),
    )
    .addOption(
      new Option('--domain <name>', 'only addresses there; may be repeated').argParser(several),
    )
    .option('--yes-count <number>', 'release or erase them, if this is their count', readCount)
    .addHelpText(
      'after',
      `
These people saw the usual thank-you and are on the list, but get no letters. Signing up again without
such signs, or confirming by mail, ends the quarantine.

Named addresses are released or erased at once. Otherwise the command first shows and counts them.
With --yes-count and that count, it releases or erases them, and may be stopped at any time. Those who
have yet to confirm cannot be released: they confirm themselves, or are erased after 14 days.`,
    )
}

/** What is to be done, and to whom. @throws OperatorError for options that contradict each other. */
export function readQuarantine(emails: readonly string[], options: QuarantineArguments) {
  const { list, release, erase, yesCount, output, sign, domain, since, until } = options
  const end: QuarantineEnd | undefined = release ? 'release' : erase ? 'erase' : undefined
  if ([list, release, erase].filter(Boolean).length > 1)
    throw new Misuse('--list, --release and --erase: name one of them.')
  if (!end && yesCount !== undefined) throw new Misuse('--yes-count: needs --release or --erase.')
  if (end && output !== undefined) throw new Misuse('--output: is not for --release or --erase.')
  if (emails.length === 0) return { end, emails: undefined }
  if (!end) throw new Misuse('Say what to do with these addresses: --release or --erase.')
  if ([sign, domain, since, until, yesCount].some((option) => option !== undefined))
    throw new Misuse('Name addresses, or describe many, but not both.')
  return { end, emails }
}
