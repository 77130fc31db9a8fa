import { type Command, InvalidArgumentError, Option } from 'commander'
import type { RecipientSelection } from '../../announcement/recipient-selection.ts'
import { parseRate, RATE_RULE, type Rate } from '../../announcement/sending/rate.ts'
import {
  DNS_SERVER_RULE,
  parseDnsServer,
  parseFirst,
  parseShare,
  SHARE_RULE,
  USUAL_STOP_SHARE,
} from '../../announcement/sending/sending-numbers.ts'
import type { ResolveTxt } from '../../checks/sender.ts'

type Stages = Pick<RecipientSelection, 'includeNew' | 'retry' | 'first'>

/** The options of a command that sends to everybody, as the command line gives them. */
export interface SendingArguments extends Stages {
  readonly preview?: boolean
  readonly dryRun?: boolean
  readonly to?: string
  /** Left out for the rate by which it was sent before. */
  readonly rate?: Rate
  readonly stopShare: number
  readonly goOn?: boolean
  readonly dkimSelector?: string
  readonly dnsServer?: ResolveTxt
  /** The names of problems to go on in spite of, as `problemName` gives them. */
  readonly force?: readonly string[]
  readonly json?: boolean
  readonly output?: string
  readonly list?: boolean
}

/** Reads an option's value. @param rule what it must be, for the message. */
export const reading =
  <T>(parse: (text: string) => T | undefined, rule: string) =>
  (text: string): T => {
    const value = parse(text)
    if (value === undefined) throw new InvalidArgumentError(`Must be ${rule}.`)
    return value
  }

const PROBLEMS_RULE = 'the names that the command shows with its problems, such as spf,dmarc'
const parseProblems = (text: string) =>
  /^[a-z][a-z-]*(,[a-z][a-z-]*)*$/i.test(text) ? text.toLowerCase().split(',') : undefined

export const readDnsServer = reading(parseDnsServer, DNS_SERVER_RULE)

const readShare = reading(parseShare, SHARE_RULE)

/** Gives a command these options. @param newcomers whom `--include-new` sends to as well */
export function describeSending(command: Command, newcomers: string): Command {
  const readFirst = reading(parseFirst, 'a number, such as 50, or a share, such as 1%')
  const readRate = reading(parseRate, RATE_RULE)
  const readProblems = reading(parseProblems, PROBLEMS_RULE)
  return command
    .option('--preview', 'write the letter as HTML, and send nothing')
    .option('--dry-run', 'check everything, list who would get it, and send nothing')
    .addOption(
      new Option('--to <email>', 'send a test to this address only').conflicts(['preview']),
    )
    .option('--first <number>', 'only the first of the list: 50 people, or 1% of it', readFirst)
    .option('--include-new', `also send to those who ${newcomers} since it began`)
    .addOption(
      new Option(
        '--retry <status>',
        'send again to those with this status, and to those whom the mail server put off',
      )
        .choices(['failed', 'uncertain'])
        .conflicts(['first', 'includeNew', 'to']),
    )
    .option(
      '--rate <rate>',
      'letters a second, such as 10 (usual), or such as 2000/h or 400/d',
      readRate,
    )
    .addOption(
      new Option(
        '--stop-share <share>',
        'stop when more than this share of the last 500 fails, from six failures on',
      )
        .argParser(readShare)
        .default(parseShare(USUAL_STOP_SHARE), USUAL_STOP_SHARE),
    )
    .option('--go-on', 'go on after too many failed or left, and count anew')
    .option('--dkim-selector <name>', 'the selector of the DKIM key in the DNS')
    .option('--dns-server <address>', 'look up the DNS records at this server', readDnsServer)
    .option('--no-list', 'list nobody: the result then has no addresses')
    .option('--force <problems>', 'go on in spite of the problems with these names', readProblems)
}
