import type { Command } from 'commander'
import { describeSending } from '../announce/sending-options.ts'

/** Gives the command its options and its help. */
export function describeAsk(command: Command): Command {
  const described = command.description(
    'ask subscribers who signed up before CONFIRM=on to confirm, once each',
  )
  return describeSending(described, 'were imported or left quarantine').addHelpText(
    'after',
    `
Subscribers who confirm get a receipt, as "consent" prints it. Those who do not answer stay on the
list and get letters as before. Those who say that it was not them get no more letters, and are erased
after 14 days.

It is sent like an announcement: once to each, and in stages with --first. The limits of confirmation
letters hold: a mailbox gets one in 15 minutes and three in all, and as many at its addresses with a
+tag. The same command again goes on where it ended. Those quarantined for signs of a robot are not
asked. Those who are released or imported later are asked with --include-new. "deliveries ask" lists
whom it asked.

Settings: SMTP_URL, MAIL_FROM and PUBLIC_URL as for the server with CONFIRM=on, UNSUBSCRIBE_URL where
links do not lead to /unsubscribe under PUBLIC_URL, and LINK_KEY where the server has one.

Exit codes: 0 asked, 1 failed or stopped by itself, 2 called wrongly, 3 asked, but some failed or are
uncertain, 130 stopped with Ctrl-C.`,
  )
}
