import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ResolveTxt } from '../../announcement/preflight/sender-records.ts'
import type { RecipientSelection } from '../../announcement/recipient-selection.ts'
import {
  parseDnsServer,
  parseFirst,
  parseRate,
  parseShare,
  USUAL_RATE,
  USUAL_STOP_SHARE,
} from '../../announcement/sending/sending-numbers.ts'

type Stages = Pick<RecipientSelection, 'includeNew' | 'retry' | 'first'>

/** What whoever sends to everybody may be told, as it comes from the command line. */
export interface SendingArguments extends Stages {
  readonly preview?: boolean
  readonly dryRun?: boolean
  readonly to?: string
  readonly rate: number
  readonly stopShare: number
  readonly dkimSelector?: string
  readonly dnsServer?: ResolveTxt
  readonly force?: boolean
  readonly json?: boolean
  readonly output?: string
  readonly list?: boolean
}

/** Reads an option's value. @param rule what it must be, said where it is not. */
export const reading =
  <T>(parse: (text: string) => T | undefined, rule: string) =>
  (text: string): T => {
    const value = parse(text)
    if (value === undefined) throw new InvalidArgumentError(`Must be ${rule}.`)
    return value
  }

export const readShare = reading(parseShare, 'a share, such as 5%')

/** Gives a command these options. */
export function describeSending(command: Command): Command {
  const readFirst = reading(parseFirst, 'a number, such as 50, or a share, such as 1%')
  const readRate = reading(parseRate, 'a number from 0.01 to 1000')
  const dnsRule = 'an IP address, such as 1.1.1.1 or 127.0.0.1:5353'
  return command
    .option('--preview', 'write the letter as HTML, and send nothing')
    .option('--dry-run', 'check everything, list who would get it, and send nothing')
    .addOption(
      new Option('--to <email>', 'send a test to this address only').conflicts(['preview']),
    )
    .option('--first <number>', 'only so many of all recipients: 50, or 1%', readFirst)
    .option('--include-new', 'also send to those who signed up since it began, or left quarantine')
    .addOption(
      new Option('--retry <status>', 'send again to those only')
        .choices(['failed', 'uncertain'])
        .conflicts(['first', 'includeNew', 'to']),
    )
    .option('--rate <number>', 'messages a second', readRate, Number(USUAL_RATE))
    .addOption(
      new Option('--stop-share <share>', 'stop when more than that fails')
        .argParser(readShare)
        .default(parseShare(USUAL_STOP_SHARE), USUAL_STOP_SHARE),
    )
    .option('--dkim-selector <name>', 'the selector of the DKIM key in the DNS')
    .option(
      '--dns-server <address>',
      'look up the DNS records there',
      reading(parseDnsServer, dnsRule),
    )
    .option('--no-list', 'leave out who has not got it: then the result names nobody')
    .option('--force', 'go on in spite of problems that may be overridden')
}
