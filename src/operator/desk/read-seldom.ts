/** What is dear to read may take this share of the time, and no more. */
const SHARE = 1 / 20

/**
 * Reads something again only after a while: `leastMs`, and longer the longer it takes, so that a
 * machine that is busy with visitors stays so.
 */
export function readSeldom<T>(read: () => T | Promise<T>, leastMs = 1000): () => Promise<T> {
  let last: { readonly value: T; readonly until: number } | undefined
  return async () => {
    if (last && performance.now() < last.until) return last.value
    const started = performance.now()
    const value = await read()
    const now = performance.now()
    last = { value, until: now + Math.max(leastMs, (now - started) / SHARE) }
    return value
  }
}
