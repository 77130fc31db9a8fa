import { leftOut as leftOutByFeatures } from '../features/all-rules.ts'
import { mayBeWrittenTo, type StandingEntry, standings } from '../people/standing.ts'
import { UNMAILABLE } from '../shared/mailable.ts'
import type { LeftOut, SuppressionReason } from '../store/delivery-ledger.ts'
import type { StandingCounts } from '../store/subscriber-list.ts'
import { grouped, localTime } from './words.ts'

/** `2 unsubscribed, 1 bounced`, or nothing for none. */
export function goneInWords(counts: StandingCounts): string {
  return standings
    .filter((standing) => !mayBeWrittenTo(standing) && counts[standing] > 0)
    .map((standing) => `${grouped(counts[standing])} ${standing}`)
    .join(', ')
}

/** A sentence on how many are not listed because they may not be mailed, and how to list them. */
export function leftOut(counts: StandingCounts): string {
  const gone = goneInWords(counts)
  return gone && ` Left out: ${gone}; --all has everybody.`
}

/** When a standing began, and why. */
export function stood({ at, detail }: Omit<StandingEntry, 'standing'>): string {
  return [localTime(at), ...(detail === undefined ? [] : [`"${detail}"`])].join(', ')
}

const NO_LETTER = 'no letter can be sent to this address'

const reasons = {
  mailbox: 'three addresses of its mailbox get it',
  confirmed: 'need not be asked',
  answer: 'gave another answer',
  answered: 'has answered',
  ...leftOutByFeatures,
  heard: 'heard from you lately',
  unmailable: NO_LETTER,
  told: 'got another letter',
} satisfies Readonly<Record<LeftOut, string>>

/** The reason of a `suppressed` delivery, for reading: of those who left, their standing. */
export const reasonInWords = (reason: SuppressionReason): string =>
  Object.hasOwn(reasons, reason) ? reasons[reason as LeftOut] : reason

/** The result of sending, in words: the mail server's answer, or why it was not asked. */
export function answerInWords(answer: string): string {
  return answer === UNMAILABLE ? NO_LETTER : answer
}
