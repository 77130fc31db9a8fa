const COUNTERS = 2_000

/** Counts names with the Misra-Gries algorithm: finds the frequent ones in bounded memory. */
export function heavyHitters() {
  const counts = new Map<string, number>()
  return {
    add(name: string) {
      const count = counts.get(name)
      if (count !== undefined || counts.size < COUNTERS) counts.set(name, (count ?? 0) + 1)
      else
        for (const [known, count] of counts)
          if (count > 1) counts.set(known, count - 1)
          else counts.delete(known)
    },
    most: () =>
      [...counts].map(([name, count]) => ({ name, count })).toSorted((a, b) => b.count - a.count),
  }
}
