export interface RequestRate {
  /** How many may come at once. */
  readonly burst: number
  /** How many a second after that. */
  readonly perSecond: number
}

const REMEMBERED = 500

/**
 * A token bucket for each of a few ids.
 *
 * @param now a monotonic clock, in milliseconds.
 * @returns whether one more request of this id is within the rate; it counts if it is.
 */
export function requestRate({ burst, perSecond }: RequestRate, now = () => performance.now()) {
  const buckets = new Map<string, { tokens: number; at: number }>()

  return (id: string): boolean => {
    const at = now()
    const { tokens: before, at: since } = buckets.get(id) ?? { tokens: burst, at }
    const tokens = Math.min(burst, before + ((at - since) / 1000) * perSecond)
    buckets.delete(id)
    buckets.set(id, { tokens: tokens < 1 ? tokens : tokens - 1, at })
    // The one that asked longest ago.
    for (const [oldest] of buckets.entries()) {
      if (buckets.size <= REMEMBERED) break
      buckets.delete(oldest)
    }
    return tokens >= 1
  }
}
