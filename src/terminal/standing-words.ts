import { mayBeWrittenTo, type StandingEntry, standings } from '../people/standing.ts'
import { UNMAILABLE } from '../shared/mailable.ts'
import type { SuppressionReason } from '../store/delivery-ledger.ts'
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

/** The reason of a `suppressed` delivery, for reading. */
export function reasonInWords(reason: SuppressionReason): string {
  if (reason === 'mailbox') return 'three addresses of its mailbox get it'
  if (reason === 'confirmed') return 'need not be asked'
  if (reason === 'answer') return 'gave another answer'
  if (reason === 'answered') return 'has answered'
  if (reason === 'came') return 'became a user'
  if (reason === 'heard') return 'heard from you lately'
  if (reason === 'unmailable') return answerInWords(UNMAILABLE)
  return reason === 'told' ? 'got another letter' : reason
}

/** The result of sending, in words: the mail server's answer, or why it was not asked. */
export function answerInWords(answer: string): string {
  return answer === UNMAILABLE ? 'no letter can be sent to this address' : answer
}
