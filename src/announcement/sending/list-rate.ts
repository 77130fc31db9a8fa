import { domainOf } from '../../shared/address-folding.ts'
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

/**
 * Google treats a sender of "close to 5,000 messages or more to personal Gmail accounts within a
 * 24-hour period", from one primary domain, as a bulk sender for ever (Email sender guidelines
 * FAQ). A tenth is left for mail that is not counted here: confirmations, tests, other mail of the
 * domain.
 */
export const GMAIL: Rate = { letters: 4500, ms: 86_400_000 }

/** Google's definition: other domains with mailboxes at Google do not count. */
const personalGmail = ['gmail.com', 'googlemail.com']

export const isGmail = (email: string) => personalGmail.includes(domainOf(email).toLowerCase())

export interface ListRateOptions {
  readonly ledger: Pick<DeliveryLedger, 'toldSince'>
  readonly rate: Rate
  /** Sends what is due now, and no more. */
  readonly untilNow: boolean
  /** How many may go to Gmail; left out for any number. */
  readonly gmail?: Rate | undefined
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
  const { ledger, rate, untilNow, gmail } = options
  const { wall = Date.now, elapsed = () => performance.now() } = options
  const begun = { wall: wall(), elapsed: elapsed() }
  const bounds = [...(isKept(rate) ? [rate] : []), ...(gmail ? [gmail] : [])]
  const told = await toldWithin(ledger, bounds, begun.wall)
  const from = listTime(told.at(-1)?.at, begun.wall)
  const { now, leftAt } = listClock(from - begun.elapsed, wall, elapsed)
  const left = told.map(({ at }) => at)
  const toGmail = told.filter((one) => one.isGmail).map(({ at }) => at)
  let held = 0

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
  return {
    limiter,
    leftAt,
    /** Whether letters to Gmail are held back. */
    isHolding: () => held > 0,
    /**
     * Counts a letter to an address. @returns until when it is held back, by the machine's clock:
     * until its own place in the window is free, so that letters leave in order and each is held once.
     */
    holdUntil(email: string): Date | undefined {
      if (!gmail || !isGmail(email)) return undefined
      if (allowedAt(gmail, toGmail, now()) > 0) {
        toGmail.push(now())
        held = Math.max(0, held - 1)
        return undefined
      }
      const place = held % gmail.letters
      const first = toGmail.length - gmail.letters
      const free = (toGmail[first + place] ?? now()) + gmail.ms
      const later = Math.floor(held / gmail.letters) * gmail.ms
      held += 1
      return new Date(wall() + Math.max(60_000, free + later - now()))
    },
  }
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

/** What left within the longest of these rates, the first first. */
async function toldWithin(ledger: ListRateOptions['ledger'], rates: readonly Rate[], now: number) {
  const told: { readonly at: number; readonly isGmail: boolean }[] = []
  if (rates.length === 0) return told
  const longest = Math.max(...rates.map(({ ms }) => ms))
  // Those who were forgotten since may have had Gmail.
  for await (const { email, at } of ledger.toldSince(new Date(now - longest)))
    told.push({ at: at.getTime(), isGmail: email === undefined || isGmail(email) })
  return told.sort((a, b) => a.at - b.at)
}
