import type { SendOutcome } from '../../mail/mailer.ts'
import { backOff, waitAfter } from '../../queue/retry-policy.ts'
import type { DeliveryStatus } from '../../store/delivery-ledger.ts'
import type { SendingPolicy } from './retry-policy.ts'
import type { SendEnd } from './send-end.ts'

/** With fewer failures than this, their share means nothing yet. */
const MIN_FAILURES = 6
/** From this many deferrals in a row, the mail server is the cause, not single recipients. */
const DEFERRALS_TO_TRIP = 5

/**
 * A circuit breaker over the mail server: a failed connection or many deferrals in a row trip it.
 * While it is tripped, a run pauses and then sends one message at a time. A message that goes
 * through closes it. When the failures go on, it ends the run.
 *
 * @param stopShare the share of finished messages that may fail before the run ends, 0 to 1.
 */
export function circuitBreaker(retryPolicy: SendingPolicy, stopShare: number) {
  let failedConnections = 0
  let deferrals = 0
  let deferringSince = 0
  let answered = ''
  let finished = 0
  let failed = 0
  let end: SendEnd | undefined
  let restUntil = 0

  const pauses = backOff(retryPolicy.pause, retryPolicy.maxPause)
  const rest = (times: number) => {
    restUntil = performance.now() + waitAfter(times, pauses)
  }

  return {
    /** Counts the end of one message. */
    note({ kind, answer, says }: SendOutcome, status: DeliveryStatus) {
      // The mail server was not asked.
      if (says === 'ascii-only') return
      const isConnection = kind === 'unsent' || kind === 'uncertain'
      failedConnections = isConnection ? failedConnections + 1 : 0
      // Greylisting says nothing of the server.
      const isNoSign = isConnection || says === 'greylisting'
      if (deferrals === 0) deferringSince = performance.now()
      deferrals = isNoSign ? deferrals : kind === 'deferred' ? deferrals + 1 : 0
      if (isConnection) rest(failedConnections)
      else if (deferrals >= DEFERRALS_TO_TRIP) rest(deferrals - DEFERRALS_TO_TRIP + 1)
      else restUntil = 0
      answered = answer

      if (status !== 'queued') finished += 1
      if (status === 'failed' || status === 'uncertain') failed += 1
      if (kind === 'unusable') end ??= { why: 'unusable', answer }
      if (failedConnections >= retryPolicy.failedConnections) end ??= { why: 'unreachable', answer }
      const isTooLong = restUntil - deferringSince > (retryPolicy.patience ?? Infinity)
      if (deferrals >= retryPolicy.deferrals || (deferrals >= DEFERRALS_TO_TRIP && isTooLong))
        end ??= { why: 'deferring', answer }
      if (failed >= MIN_FAILURES && failed / finished > stopShare)
        end ??= { why: 'failing', answer }
    },
    /** Why the run has to end, once there is a reason. */
    get end() {
      return end
    },
    /** While tripped, one message is sent at a time, so that at most one becomes `uncertain`. */
    get isTripped() {
      return failedConnections > 0 || deferrals >= DEFERRALS_TO_TRIP
    },
    /** What the server or the network said last. */
    get answer() {
      return answered
    },
    /** Milliseconds to wait before the next message; 0 when it may go now. */
    rest: () => Math.max(0, restUntil - performance.now()),
  }
}
