/** An expensive look may use at most this share of the time. */
const SHARE = 1 / 20

/**
 * Reads something again only after `leastMs`, or longer if the read takes long, so that a machine
 * that is busy with visitors is not slowed. It is read once for all callers meanwhile, and again
 * after a failure.
 */
export function readSeldom<T>(read: () => T | Promise<T>, leastMs = 1000): () => Promise<T> {
  let last: Promise<T> | undefined
  let until = 0
  return () => {
    const began = performance.now()
    if (last && began < until) return last
    until = Number.POSITIVE_INFINITY
    const asked = (async () => read())()
    last = asked
    asked.then(
      () => {
        const now = performance.now()
        until = now + Math.max(leastMs, (now - began) / SHARE)
      },
      () => {
        until = 0
      },
    )
    return asked
  }
}
