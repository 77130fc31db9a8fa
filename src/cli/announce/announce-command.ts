import { type Command, Option } from 'commander'
import type { AlsoWhoGot } from '../../announcement/left-out.ts'
import { describeSending, type SendingArguments } from './sending-options.ts'

/** The options of `announce`, as the command line gives them. */
export interface AnnounceArguments extends SendingArguments {
  readonly untilNow?: boolean
  /** The keys of problems to go on in spite of. */
  readonly forceProblem?: readonly string[]
  readonly beforeOpening?: boolean
  readonly alsoWhoGot?: AlsoWhoGot
  readonly notCame?: boolean
  readonly stillInterested?: boolean
  readonly ask?: boolean
  readonly order?: 'sign-up' | 'referrals'
  readonly answered?: string
  readonly run?: string
  readonly test?: boolean
  readonly language?: string
}

/** The option may come several times. */
function readAlsoWhoGot(text: string, before: AlsoWhoGot = []): AlsoWhoGot {
  return text === 'all' || before === 'all' ? 'all' : [...before, text]
}

/** Gives the command its options and its help. */
export function describeAnnounce(command: Command): Command {
  const described = command.description('send a letter to everyone once, or go on with it')
  return describeSending(described, 'signed up or left quarantine')
    .option('--language <code>', 'with --preview: as a reader of this language gets it, such as de')
    .addOption(
      new Option(
        '--test',
        'send a test to the reply-to of the letter, otherwise to its sender',
      ).conflicts(['to', 'preview', 'retry']),
    )
    .option(
      '--also-who-got <announcement>',
      'also tell those who got this other announcement (all: any other); may be repeated',
      readAlsoWhoGot,
    )
    .option('--answered <answer>', 'tell only those who gave this answer, as "answers" shows it')
    .option('--not-came', 'leave out those who are users already, as "came" shows them')
    .addOption(
      new Option(
        '--still-interested',
        'ask those who have heard nothing for 60 days, with a button that says yes',
      ).conflicts('alsoWhoGot'),
    )
    .addOption(
      new Option(
        '--ask',
        'send a button to answer the question of the page, to those who have not answered',
      ).conflicts(['stillInterested', 'answered', 'alsoWhoGot']),
    )
    .addOption(
      new Option(
        '--order <order>',
        'who goes first: the earliest sign-ups, or those with the most referrals',
      )
        .choices(['sign-up', 'referrals'])
        .default('sign-up'),
    )
    .option('--before-opening', 'go on although the page opens later')
    .option('--until-now', 'send what the rate allows by now, and end, for a timer')
    .addOption(new Option('--run <owner>', 'go on with this run, which the desk began').hideHelp())
    .addOption(
      new Option('--force-problem <key>', 'go on in spite of this problem, for the desk')
        .argParser((key, before: readonly string[] = []) => [...before, key])
        .hideHelp(),
    )
    .addHelpText('after', help)
}

const help = `
The letter is Markdown that begins with its settings:

  ---
  subject: We are live
  preview: What an inbox shows beside it
  from: Meridian <hello@example.com>
  reply-to: team@example.com
  ---
  Text, with **bold** and [links](https://example.com).

{{unsubscribe}} in the text becomes the reader's unsubscribe link, and {{invitation}} a code that
admits its holder, once, for 30 days or as invitation-valid says: docs/invitations.md.
{{first name|there}} in the subject or the text becomes the reader's first name, or "there".

Those who got another announcement are left out, unless --also-who-got names it or says all. If they
got it while they were in the queue of this one, nothing is sent without --also-who-got.

At most three addresses of one mailbox get the letter. Those without a +tag come first, and get it
even if three with a +tag got it before them.

The file's name names the announcement: launch.md is "launch". The same command again goes on where
it ended, and nobody is told twice. Subscribers who sign up, or leave the quarantine, after it began
are told with --include-new.

With --still-interested the letter has a button that says yes, and goes to those who have neither
signed up nor got a letter for 60 days. Those who get this letter get later ones as well; those who
do not answer get them last.

With --ask the letter has the question of the page and a button that leads to it, and goes to those
who have not answered. Those who get this letter get later ones as well.

With --order referrals the people who brought the most friends that count go first, and then the
others in order of sign-up. The order is fixed when the announcement begins, also for its stages: see
referrals.

With --rate 2000/h no hour has more letters than that, whichever command sent them. It stops by itself
when too many of the last letters failed, or too many people left, and each hour it checks everything
again: docs/launch-day.md. Ctrl-C is safe: the same command goes on, at the same rate.

Settings: SMTP_URL (smtp://user:password@mail.example.com:587), MAIL_FROM where the letter names no
sender, UNSUBSCRIBE_URL or PUBLIC_URL, and LINK_KEY where the server has one.

Exit codes: 0 told, 1 failed or stopped by itself, 2 called wrongly, 3 told, but some failed or are
uncertain, 130 stopped with Ctrl-C.`
