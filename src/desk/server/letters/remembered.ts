/** How many times as long as it took something is believed. */
const TIMES = 20

/**
 * Remembers what costs something to look up, by a name: for so long at least, and the longer the
 * longer it took, so that looking takes a twentieth of the time at most, however many look.
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
    /** Something was done: what was known is not so any more. */
    forget: (name: string) => known.delete(name),
  }
}
