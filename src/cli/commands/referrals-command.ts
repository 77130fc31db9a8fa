import type { Command } from 'commander'

/** Gives `referrals` its options and its help. */
export function describeReferrals(command: Command): Command {
  return command
    .description('show who brought friends by their personal link, and let what is held count')
    .option('--let <email>', 'let the friends of the link of this person count that are held')
    .option('--day <date>', 'with --let: only those of this day, such as 2026-11-25, in UTC')
    .addHelpText(
      'after',
      `
A friend counts once they confirm. No friend counts whose mailbox was on the list before, by whatever
address. Where more than ten friends of one link confirm in a day (in UTC), or a sign-up had signs of
a robot, those of that day are held: they are on the list and get letters as everybody does, and
count for the link only after --let. Reads the whole list.

See docs/referrals.md.`,
    )
}
