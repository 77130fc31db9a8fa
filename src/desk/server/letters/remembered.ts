/** A result is remembered for this many times as long as it took to find. */
const TIMES = 20

/**
 * Remembers results that are expensive to look up, by a name: for a least time, and longer the
 * longer the look took. So looking takes at most a twentieth of the time, however many viewers
 * there are.
 */
export function remembered<T>(look: (name: string) => Promise<T>, atLeastMs: number) {
  const known = new Map<string, { found: Promise<T>; until: number }>()
  return {
    look(name: string): Promise<T> {
      const now = performance.now()
      const before = known.get(name)
      if (before && now < before.until) return before.found
      const found = look(name)
      const entry = { found, until: Number.POSITIVE_INFINITY }
      known.set(name, entry)
      found.then(
        () => {
          const end = performance.now()
          entry.until = end + Math.max(atLeastMs, TIMES * (end - now))
        },
        () => known.delete(name),
      )
      return found
    },
    /** Something was changed, so the remembered result is out of date. */
    forget: (name: string) => known.delete(name),
  }
}
