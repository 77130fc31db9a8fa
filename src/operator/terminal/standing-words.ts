import type { SuppressionReason } from '../../store/delivery-ledger.ts'
import { mayBeWrittenTo, type StandingEntry, standings } from '../../store/standing.ts'
import type { StandingCounts } from '../../store/subscriber-list.ts'
import { grouped, localTime } from './words.ts'

/** `2 unsubscribed, 1 bounced`, or nothing when there is nobody. */
export function goneInWords(counts: StandingCounts): string {
  return standings
    .filter((standing) => !mayBeWrittenTo(standing) && counts[standing] > 0)
    .map((standing) => `${grouped(counts[standing])} ${standing}`)
    .join(', ')
}

/** Tells who is not on a list of those who may be written to, and how to see them. */
export function leftOut(counts: StandingCounts): string {
  const gone = goneInWords(counts)
  return gone && ` Left out: ${gone}; --all has everybody.`
}

/** Since when and why. */
export function stood({ at, detail }: Omit<StandingEntry, 'standing'>): string {
  return [localTime(at), ...(detail === undefined ? [] : [`"${detail}"`])].join(', ')
}

/** Why a delivery is `suppressed`. */
export function reasonInWords(reason: SuppressionReason): string {
  if (reason === 'mailbox') return 'mailbox has three'
  return reason === 'told' ? 'got an earlier one' : reason
}
