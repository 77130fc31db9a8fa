import { type Command, Option } from 'commander'
import type { AlsoWhoGot } from '../../announcement/left-out.ts'
import type { WavesWanted } from '../../announcement/run/waves.ts'
import {
  EVERY_RULE,
  parseEvery,
  parseWaves,
  WAVES_RULE,
} from '../../announcement/waves/wave-plan.ts'
import { describeSending, reading, readShare, type SendingArguments } from './sending-options.ts'

/** What `announce` may be told, as it comes from the command line. */
export interface AnnounceArguments extends SendingArguments, WavesWanted {
  readonly alsoWhoGot?: AlsoWhoGot
  readonly log?: boolean
}

/** The option may come several times. */
function readAlsoWhoGot(text: string, before: AlsoWhoGot = []): AlsoWhoGot {
  return text === 'all' || before === 'all' ? 'all' : [...before, text]
}

/** Gives the command its options and its help. */
export function describeAnnounce(command: Command): Command {
  const described = command.description('send a letter to everyone once, or continue doing so')
  return describeSending(described)
    .option(
      '--also-who-got <announcement>',
      'include who got that earlier one, or "all"; may be repeated',
      readAlsoWhoGot,
    )
    .addOption(
      new Option('--waves <waves>', 'one after the other: 1%,10%,50%,100%, or 500 at a time')
        .argParser(reading(parseWaves, WAVES_RULE))
        .conflicts(['first', 'retry', 'to']),
    )
    .option(
      '--every <time>',
      'from one wave to the next: 90m, 2h or 1d',
      reading(parseEvery, EVERY_RULE),
    )
    .addOption(
      new Option('--stop-leaving <share>', 'stop when more than that unsubscribe or complain')
        .argParser(readShare)
        .default(0.003, '0.3%'),
    )
    .option('--go-on', 'pass over what stopped the waves')
    .option('--change-plan', 'take these waves instead of those that it began with, or none')
    .addOption(
      new Option('--log', 'say what comes of it in lines of JSON, for the desk').hideHelp(),
    )
    .option('--no-wait', 'send what is due, and leave the next wave to the same command later')
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

{{unsubscribe}} in the text is where its reader's unsubscribe link stands, and {{invitation}} a code
that lets only its reader in, valid for 30 days or what invitation-valid says: docs/invitations.md.

Whoever got an earlier announcement is left out, unless --also-who-got names it or says all. A
mailbox gets three letters of one announcement, however many addresses lead to it: those without a
tag, such as +news, come first, and get theirs also where they sign up later.

The file's name names the announcement: launch.md is "launch". The same command again goes on where
it ended, and tells nobody twice. Who signs up after its beginning, or is released from the
quarantine after it, is left for --include-new.

With --waves it shows the plan, and stays until the last wave is sent. Each waits for its time, and
for everybody of the one before to be accounted for. Ctrl-C is safe: the same command goes on.

Settings: SMTP_URL (smtp://user:password@mail.example.com:587), MAIL_FROM where the letter names no
sender, UNSUBSCRIBE_URL or PUBLIC_URL, and LINK_KEY where the server has one.

Exit codes: 0 told, 1 failed or stopped by itself, 2 called wrongly, 3 told, but some failed or are
uncertain, 130 stopped with Ctrl-C.`,
    )
}
