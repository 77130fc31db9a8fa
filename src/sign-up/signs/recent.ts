import { LruMap } from 'toad-cache'

/** Names that are remembered by each counter, in a few megabytes at most. */
const REMEMBERED = 20_000

/** Keeps values by name, in bounded memory: those of the names that were used last. */
export const recent = <T>(remembered = REMEMBERED) => new LruMap<T>(remembered)

/**
 * Counts names in a window of time. When it is over, counting begins anew; so it does for times long
 * before it, which a clock that was set back gives, or somebody whose sign-up is found late.
 *
 * @returns counts one more: how many there were of this name, and of all.
 */
export function recentCounts(windowMs: number) {
  const counts = recent<number>()
  let since = 0
  let all = 0
  return (name: string, at: number): { count: number; all: number } => {
    if (Math.abs(at - since) > windowMs) {
      since = at
      all = 0
      counts.clear()
    }
    all += 1
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    return { count, all }
  }
}
