import { type Command, Option } from 'commander'
import type { ResolveTxt } from '../../announcement/preflight/sender-records.ts'
import type { RecipientSelection } from '../../announcement/recipient-selection.ts'
import { readAlsoWhoGot } from './also-who-got.ts'
import { readDnsServer, readFirst, readRate, readShare } from './announce-numbers.ts'

/** What `announce` may be told, as it comes from the command line. */
export interface AnnounceArguments extends Omit<RecipientSelection, 'id'> {
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
}

/** Gives the command its options and its help. */
export function describeAnnounce(command: Command): Command {
  return command
    .description('send a letter to everyone once, or continue doing so')
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
    .option(
      '--also-who-got <announcement>',
      'include who got that earlier one, or "all"; may be repeated',
      readAlsoWhoGot,
    )
    .option('--rate <number>', 'messages a second', readRate, 10)
    .addOption(
      new Option('--stop-share <share>', 'stop when more than that fails')
        .argParser(readShare)
        .default(0.05, '5%'),
    )
    .option('--dkim-selector <name>', 'the selector of the DKIM key in the DNS')
    .option('--dns-server <address>', 'look up the DNS records there', readDnsServer)
    .option('--force', 'go on in spite of problems that may be overridden')
    .addHelpText(
      'after',
      `
The letter is Markdown that begins with its settings:

  ---
  subject: We are live
  preview: What an inbox shows beside it
  from: Meridian <hello@example.com>
  reply-to: team@example.com
  ---
  Text, with **bold** and [links](https://example.com).

Whoever got an earlier announcement is left out, unless --also-who-got names it or says all. No
mailbox gets more than three letters of one announcement, however many addresses lead to it.

The file's name names the announcement: launch.md is "launch". The same command again goes on where
it ended, and tells nobody twice. Who signs up after its beginning, or is released from the
quarantine after their turn, is left for --include-new.

Settings: SMTP_URL (smtp://user:password@mail.example.com:587), MAIL_FROM where the letter names no
sender, UNSUBSCRIBE_URL or PUBLIC_URL, and LINK_KEY where the server has one.

Exit codes: 0 told, 1 failed or stopped by itself, 2 called wrongly, 3 told, but some failed or are
uncertain, 130 stopped with Ctrl-C.`,
    )
}
