import type { SendOutcome } from '../../mail/mailer.ts'
import type { DeliveryStatus } from '../../store/delivery-ledger.ts'
import { exponentialBackOff, type RetryPolicy } from './retry-policy.ts'
import type { SendEnd } from './send-end.ts'

/** What a run learns from how one message after the other ends. */
export interface CircuitBreaker {
  note(outcome: SendOutcome, status: DeliveryStatus): void
  /** The reason to stop, once there is one. */
  readonly end: SendEnd | undefined
  /** While it is, one message at a time: as few as possible may become uncertain. */
  readonly isTripped: boolean
  /** Milliseconds to wait before the next one. */
  rest(): number
}

/** Fewer failures than this say nothing about a share. */
const TELLING_FAILURES = 6
/** So many deferrals in a row are no longer about single recipients. */
const TELLING_DEFERRALS = 5

/** @param stopShare of what was finished, the share that may fail. */
export function circuitBreaker(retryPolicy: RetryPolicy, stopShare: number): CircuitBreaker {
  let failedConnections = 0
  let deferrals = 0
  let finished = 0
  let failed = 0
  let end: SendEnd | undefined
  let restUntil = 0

  const rest = (times: number) => {
    restUntil =
      performance.now() + exponentialBackOff(retryPolicy.pause, retryPolicy.maxPause, times)
  }

  return {
    note({ kind, answer }, status) {
      const isConnection = kind === 'unsent' || kind === 'uncertain'
      failedConnections = isConnection ? failedConnections + 1 : 0
      deferrals = kind === 'deferred' ? deferrals + 1 : isConnection ? deferrals : 0
      if (isConnection) rest(failedConnections)
      else if (deferrals >= TELLING_DEFERRALS) rest(deferrals - TELLING_DEFERRALS + 1)
      else restUntil = 0

      if (status !== 'queued') finished += 1
      if (status === 'failed' || status === 'uncertain') failed += 1
      if (kind === 'unusable') end ??= { why: 'unusable', answer }
      if (failedConnections >= retryPolicy.failedConnections) end ??= { why: 'unreachable', answer }
      if (deferrals >= retryPolicy.deferrals) end ??= { why: 'deferring', answer }
      if (failed >= TELLING_FAILURES && failed / finished > stopShare)
        end ??= { why: 'failing', answer }
    },
    get end() {
      return end
    },
    get isTripped() {
      return failedConnections > 0 || deferrals >= TELLING_DEFERRALS
    },
    rest: () => Math.max(0, restUntil - performance.now()),
  }
}
