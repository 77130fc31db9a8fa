import { leftOut as leftOutByFeatures } from '../features/all-rules.ts'
import { mayBeWrittenTo, type StandingEntry, standings } from '../people/standing.ts'
import { UNMAILABLE } from '../shared/mailable.ts'
import { say, translated } from '../shared/say.ts'
import type { SuppressionReason } from '../store/delivery-ledger.ts'
import type { StandingCounts } from '../store/subscriber-list.ts'
import { grouped, localTime } from './words.ts'

/** `2 unsubscribed, 1 bounced`, or nothing for none. */
export function goneInWords(counts: StandingCounts): string {
  return standings
    .filter((standing) => !mayBeWrittenTo(standing) && counts[standing] > 0)
    .map((standing) => `${grouped(counts[standing])} ${translated(standing)}`)
    .join(', ')
}

/** A sentence on how many are not listed because they may not be mailed, and how to list them. */
export function leftOut(counts: StandingCounts): string {
  const gone = goneInWords(counts)
  return gone && say(' Left out: {gone}; --all has everybody.', { gone })
}

/** When a standing began, and why. */
export function stood({ at, detail }: Omit<StandingEntry, 'standing'>): string {
  return [localTime(at), ...(detail === undefined ? [] : [`"${detail}"`])].join(', ')
}

/** Why somebody gets no letter, as what is said of them; a standing says it by its name. */
export const reasonWords: Readonly<Partial<Record<SuppressionReason, string>>> = {
  mailbox: 'shared a mailbox with three who get it',
  told: 'got another announcement',
  answer: 'gave another answer, or none',
  ...leftOutByFeatures,
  heard: 'heard from you in the last 60 days, or answered',
  unmailable: 'gave an address that no letter can be sent to',
  quarantined: 'quarantined for signs of a robot',
  pending: 'said that it was not them',
}

export const reasonInWords = (reason: SuppressionReason): string =>
  translated(reasonWords[reason] ?? reason)

/** The result of sending, in words: the mail server's answer, or why it was not asked. */
export function answerInWords(answer: string): string {
  return answer === UNMAILABLE ? say('no letter can be sent to this address') : answer
}
