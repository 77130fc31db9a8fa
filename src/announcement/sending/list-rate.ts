import type { DeliveryLedger } from '../../store/store.ts'
import {
  allowedAt,
  dueAt,
  freeAt,
  isKept,
  listTime,
  perSecond,
  type Rate,
  USUAL_RATE,
} from './rate.ts'
import { type RateLimiter, rateLimiter } from './rate-limiter.ts'

export interface ListRateOptions {
  readonly ledger: Pick<DeliveryLedger, 'toldSince'>
  readonly rate: Rate
  /** Sends what is due now, and no more. */
  readonly untilNow: boolean
  /** The machine's clock, which may be set. */
  readonly wall?: () => number
  /** A clock that nobody sets; both in milliseconds. */
  readonly elapsed?: () => number
}

/**
 * How fast a run may send: by what left in all announcements of the list, whichever process sent it.
 *
 * @throws StoreUnavailable
 */
export async function listRate(options: ListRateOptions) {
  const { ledger, rate, untilNow } = options
  const { wall = Date.now, elapsed = () => performance.now() } = options
  const begun = { wall: wall(), elapsed: elapsed() }
  const left = isKept(rate) ? await leftWithin(ledger, rate, begun.wall) : []
  const from = listTime(left.at(-1), begun.wall)
  const { now, leftAt } = listClock(from - begun.elapsed, wall, elapsed)

  const steady = perSecond(rate)
  const even = rateLimiter(untilNow ? Math.max(steady, perSecond(USUAL_RATE)) : steady, elapsed)
  // With what is due, so many leave, and then none.
  const due = { letters: left.length + dueAt(rate, left, now()), ms: Number.POSITIVE_INFINITY }
  const windows = isKept(rate) ? [rate, ...(untilNow ? [due] : [])] : []
  /** No window has more than its letters. */
  const limiter: RateLimiter = {
    ready: () => Math.min(even.ready(), ...windows.map((one) => allowedAt(one, left, now()))),
    wait: () => Math.max(even.wait(), ...windows.map((one) => freeAt(one, left, now()) - now())),
    spend(messages) {
      even.spend(messages)
      if (windows.length > 0) left.push(...Array.from({ length: messages }, now))
    },
    refund() {
      even.refund()
      left.pop()
    },
  }
  return { limiter, leftAt }
}

/**
 * The time of the list. @param from how far it is before the clock that nobody sets, which stands while a
 * machine sleeps.
 */
function listClock(from: number, wall: () => number, elapsed: () => number) {
  /** The same of the machine's clock, at most. */
  let ahead = from
  return {
    now: () => from + elapsed(),
    /**
     * When a letter that ended now left, for the ledger, which is never before one that it has already;
     * `undefined` for the machine's clock.
     */
    leftAt() {
      ahead = Math.max(ahead, wall() - elapsed())
      const at = ahead + elapsed()
      return wall() < at ? new Date(at) : undefined
    },
  }
}

/** When letters left within the time of a rate, rising. */
async function leftWithin(ledger: ListRateOptions['ledger'], { ms }: Rate, now: number) {
  const left: number[] = []
  for await (const at of ledger.toldSince(new Date(now - ms))) left.push(at.getTime())
  return left.sort((a, b) => a - b)
}
