const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/**
 * The wait after each failed try, as in Standard Webhooks; after the last, the message is given up.
 */
export const waits: readonly number[] = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
]

/** The longest wait that a place may ask for, in milliseconds. */
export const LONGEST_WAIT = 24 * HOUR
/**
 * The most that is added at random, as a share, so that failed messages do not come back together.
 */
const MOST_JITTER = 0.1

/**
 * When a message is tried again, in milliseconds from now.
 *
 * @param tries how many failed. @param askedFor what the place asked for, such as by `Retry-After`.
 * @returns `undefined` where it is given up.
 */
export function waitAfter(
  tries: number,
  askedFor = 0,
  chance: () => number = Math.random,
): number | undefined {
  const wait = waits[tries - 1]
  if (wait === undefined) return undefined
  const jittered = Math.round(wait * (1 + MOST_JITTER * chance()))
  return Math.min(Math.max(jittered, askedFor), LONGEST_WAIT)
}
