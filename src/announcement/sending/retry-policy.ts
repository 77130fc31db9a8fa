import { isAboutUs, type SendOutcome } from '../../mail/mailer.ts'
import { backOff as backOffOf, LONGEST_WAIT, waitAfter } from '../../queue/retry-policy.ts'
import type { ClaimedDelivery, DeliveryResult } from '../../store/delivery-ledger.ts'

/**
 * When a letter is tried again, and when a run gives up. Times are in milliseconds.
 */
export interface SendingPolicy {
  /** Wait before a deferred recipient is tried again; doubles each time, up to `maxBackOff`. */
  readonly backOff: number
  readonly maxBackOff: number
  /** A recipient who is still deferred after this many tries has failed. */
  readonly tries: number
  /** Pause after a failed connection or many deferrals; doubles each time, up to `maxPause`. */
  readonly pause: number
  readonly maxPause: number
  /** Failed connections in a row that end a run, so that few messages become `uncertain`. */
  readonly failedConnections: number
  /** Deferrals in a row that end a run: the mail server accepts nothing now. */
  readonly deferrals: number
  /** Interval at which the ledger is asked for due rows. */
  readonly poll: number
  /** How long a run waits for a store that is unavailable. */
  readonly store: number
  /** Longest wait with nothing to do but to try again, or with deferrals alone; left out, any. */
  readonly patience?: number
}

export const defaultRetryPolicy: SendingPolicy = {
  backOff: 60_000,
  maxBackOff: 900_000,
  tries: 6,
  pause: 1_000,
  maxPause: 60_000,
  failedConnections: 5,
  deferrals: 20,
  poll: 1_000,
  store: 120_000,
}

/** For a run that somebody waits for: those put off get a second and a third try in it. */
export const foregroundPolicy: SendingPolicy = { ...defaultRetryPolicy, patience: 150_000 }

/** The result of a delivery from the mail server's answer: its end, or when it is due again. */
export function resultOf(
  { number, tries }: Pick<ClaimedDelivery, 'number' | 'tries'>,
  { kind, answer, says, waitMs = 0 }: SendOutcome,
  { pause, backOff, maxBackOff, tries: maxTries }: SendingPolicy,
): Extract<DeliveryResult, { answer: string }> {
  const result = { number, tries, answer }
  if (kind === 'accepted') return { ...result, status: 'sent' }
  if (kind === 'uncertain') return { ...result, status: 'uncertain' }
  // What we do too much of is no reason for a recipient to fail, and is over soon.
  const isOurs = kind === 'deferred' && isAboutUs(says)
  if (kind === 'refused' || (kind === 'deferred' && !isOurs && tries >= maxTries))
    return { ...result, status: 'failed' }
  const [first, most] = isOurs ? [pause, backOff] : [backOff, maxBackOff]
  // What the server states makes the wait longer, and never shorter.
  const again = { ...backOffOf(first, most), longest: LONGEST_WAIT }
  const ms = kind === 'unusable' ? 0 : waitAfter(tries, again, waitMs)
  return { ...result, status: 'queued', dueAt: new Date(Date.now() + ms) }
}
