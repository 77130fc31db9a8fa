import type { Command } from 'commander'

/** Gives `referrals` its options and its help. */
export function describeReferrals(command: Command): Command {
  return command
    .description('show who brought friends by a personal link, and let held friends count')
    .option('--let <email>', 'let the held friends of this person count')
    .option('--day <date>', 'with --let: only those of this day, such as 2026-11-25, in UTC')
    .addHelpText(
      'after',
      `
A friend counts once they confirm. A friend whose mailbox was on the list before, under any address,
does not count. A friend with signs of a robot is held. When more than ten friends of one link confirm
in a day (in UTC), all friends of that day are held. Held friends are on the list and get letters like
everybody else, but count only after --let, which takes only days that are over. The command reads
the whole list.

See docs/referrals.md.`,
    )
}
