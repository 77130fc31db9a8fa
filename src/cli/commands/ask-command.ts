import type { Command } from 'commander'
import { describeSending } from '../announce/sending-options.ts'

/** Gives the command its options and its help. */
export function describeAsk(command: Command): Command {
  const described = command.description(
    'ask those to confirm who are on the list from before CONFIRM=on, once each',
  )
  return describeSending(described).addHelpText(
    'after',
    `
Whoever confirms gets a receipt, as "consent" prints it. Whoever does not answer stays on the list
and is told as before. Whoever says that it was not them is told nothing from then on, and is erased
after 14 days.

It is sent as an announcement is: in stages, once to each, within the limits of all confirmation
letters: one in 15 minutes and three to a mailbox, those with a tag apart. The same command again goes
on where it ended. Who is quarantined for signs of a robot is not asked. Who is released later, or
brought in by a later import, is left for --include-new. "deliveries ask" lists the rows.

Settings: SMTP_URL, MAIL_FROM and PUBLIC_URL as for the server with CONFIRM=on, UNSUBSCRIBE_URL where
links do not lead to /unsubscribe under PUBLIC_URL, and LINK_KEY where the server has one.

Exit codes: 0 asked, 1 failed or stopped by itself, 2 called wrongly, 3 asked, but some failed or are
uncertain, 130 stopped with Ctrl-C.`,
  )
}
