import { type Command, InvalidArgumentError, Option } from 'commander'
import { formats } from '../../tables/formats.ts'

/** The options of each command that reads a table. */
const readsTable = (command: Command) =>
  command
    .option('--dry-run', 'show the result, and change nothing')
    .addOption(
      new Option('--format <format>', 'the format; by default from the name of the file').choices(
        formats,
      ),
    )
    .option(
      '--encoding <name>',
      'the encoding of a file that is not UTF-8, such as windows-1252, macintosh or shift_jis',
      readEncoding,
    )
    .option('--email-column <name>', 'the column with the addresses, by name or number')
    .option(
      '--utc-offset <offset>',
      'the zone of times that have none, such as +02:00; otherwise UTC',
      readOffset,
    )
    .addOption(
      new Option('--dates <order>', 'how to read 03/04/2026').choices(['day-first', 'month-first']),
    )

/** Gives `import` its options and its help. */
export function describeImport(command: Command): Command {
  return readsTable(command)
    .description('add subscribers from a file ("-": from standard input)')
    .option(
      '--time-column <name>',
      'the column with the time of sign-up; "none" to count all as signed up now',
    )
    .option('--reply-column <name>', 'the column with replies to the question of your page')
    .option(
      '--status-column <name>',
      'the column that says who left or agreed, if its name does not, such as "Mail" or "Mail=left"; may be repeated; "none" for none',
      several,
    )
    .option('--ignore-column <name>', 'a column that is not read; may be repeated', several)
    .option('--they-left', 'take a file in which nearly all left elsewhere, or all by its name')
    .addHelpText(
      'after',
      `
It reads the exports of Mailchimp, Kit, Buttondown, listmonk, Ghost, Waitlister, GetWaitlist and
LaunchList, its own, and other files that name their columns. It says which columns it reads, and
which it ignores. Times are kept, so that the first to sign up is told first.

Those who unsubscribed, bounced or complained at the other tool get no letters from here either,
unless they signed up here since. Those who never confirmed there are refused. A file with a column
that may say so, and was not understood, is refused until you name that column.`,
    )
}

/** Gives `came` its options and its help. */
export function describeCame(command: Command): Command {
  return readsTable(command)
    .description('show which subscribers became users; with a file of your accounts, note them')
    .option('--time-column <name>', 'the column with the time of the account')
    .addHelpText(
      'after',
      `
The file is any that import reads: your product's users, with an address and, if you have it, the
time of the account in each row. It is compared with the list on this machine. The list notes which
of its subscribers are in the file, and when they came. It keeps nothing of the others.

The figures are about people who were told: how many of them have an account that is younger than
their first letter, by letter, by source, and by the week in which they signed up.

Your server can post each account as it is made, too: docs/came.md.`,
    )
}

/** Gives `suppress` its options and its help. */
export function describeSuppress(command: Command): Command {
  return readsTable(command)
    .description('import bounces, complaints and unsubscribes ("-": from standard input)')
    .addOption(
      new Option('--as <standing>', 'the reason to note where the file gives none').choices([
        'bounced',
        'complained',
        'unsubscribed',
      ]),
    )
    .option('--without-proof', 'accept a message without an unsubscribe link of ours')
    .option('--undo <email>', 'take the bounce of an address back')
    .addHelpText(
      'after',
      `
It reads the lists of Postmark, Amazon SES, SendGrid, Mailgun and Brevo. It also reads a message or a
mailbox file: reports on delivery (RFC 3464) and of complaints (RFC 5965). Only what says that a mailbox
or its domain does not exist counts as a bounce, and a full mailbox at the third report within two weeks.
Where one provider refuses many in a day, that is an alarm, and nobody counts as bounced.

A message counts only if it returns an unsubscribe link of ours, which strangers cannot know. So the
command can stand in a mail alias, or in the .forward of the user who owns the data folder:

  "|cd /srv/opening-bell && bin/opening-bell suppress - || exit 75"

It then ends with 0, or with 75 when the message has to be kept and tried again.`,
    )
}

const several = (name: string, before: readonly string[] = []) => [...before, name]

/** @throws InvalidArgumentError */
function readEncoding(name: string): string {
  try {
    return new TextDecoder(name).encoding
  } catch {
    throw new InvalidArgumentError('Must be an encoding, such as windows-1252 or shift_jis.')
  }
}

/** @throws InvalidArgumentError */
function readOffset(text: string): string {
  if (/^[+-](0\d|1[0-4]):[0-5]\d$/.test(text)) return text
  throw new InvalidArgumentError('Must be like +02:00.')
}
