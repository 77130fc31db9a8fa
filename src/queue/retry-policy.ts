/** When what failed is tried again, and for how long. All times are in milliseconds. */
export interface RetryPolicy {
  /** The wait after each failed try; the last one is repeated. */
  readonly waits: readonly number[]
  /** The most that is added at random, as a share, so that what failed together does not come back together. */
  readonly jitter: number
  /** The longest wait that a receiver may ask for. */
  readonly longest: number
  /** How many tries may fail; left out for any number. */
  readonly tries?: number
  /** How long after the first failed try it is over; left out for any time. */
  readonly forMs?: number
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Whatever is due is so within this time: a later time was written by a clock that was put back since. */
export const LONGEST_WAIT = 24 * HOUR

/** As Standard Webhooks has it: ten tries in three days. */
export const webhooks = {
  waits: [
    ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
    ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
  ],
  jitter: 0.1,
  longest: LONGEST_WAIT,
} as const satisfies RetryPolicy

/** Exponential back-off: each wait is so many times the one before, up to the longest. */
export function backOff(first: number, longest: number, factor = 2): RetryPolicy {
  const waits: number[] = []
  for (let wait = first; wait > 0 && wait < longest; wait *= factor) waits.push(wait)
  return { waits: [...waits, longest], jitter: 0, longest }
}

/**
 * When it is tried again, in milliseconds from now.
 *
 * @param tries how many failed. @param askedFor what the receiver asked for, such as by `Retry-After`.
 */
export function waitAfter(
  tries: number,
  { waits, jitter, longest }: RetryPolicy,
  askedFor = 0,
  chance: () => number = Math.random,
): number {
  const wait = waits[Math.min(tries, waits.length) - 1] ?? 0
  return Math.min(Math.max(Math.round(wait * (1 + jitter * chance())), askedFor), longest)
}

/** Whether a time is ahead. One too far ahead is from before the clock was put back. */
export const isAhead = (time: number | undefined, now: number): boolean =>
  time !== undefined && time > now && time <= now + LONGEST_WAIT
