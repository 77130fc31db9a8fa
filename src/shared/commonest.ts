/**
 * Counts names in memory that does not grow with their number. A dropped name may come again, so a count
 * can be too small. That of a common name is right if fewer than `most` others come between two of its
 * visits.
 *
 * @param most how many names are given at the end; twice as many are kept meanwhile.
 * @param onDrop called for names that are no longer counted.
 */
export function commonest(most: number, onDrop: (name: string, number: number) => void = () => {}) {
  let counts = new Map<string, number>()

  function keepMost() {
    // The sort is stable: of two that are equal, the later stays.
    const sorted = [...counts].reverse().sort(([, a], [, b]) => b - a)
    for (const [name, number] of sorted.slice(most)) onDrop(name, number)
    counts = new Map(sorted.slice(0, most))
  }

  return {
    add(name: string, number = 1) {
      counts.set(name, (counts.get(name) ?? 0) + number)
      if (counts.size >= 2 * most) keepMost()
    },
    /** The commonest names with their counts, the commonest first, equal ones by name. */
    names(): [name: string, number: number][] {
      keepMost()
      return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    },
  }
}
