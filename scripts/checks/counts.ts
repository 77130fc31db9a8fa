/** The results of tests; what failed is whole in the output of the tool that ran it. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export function total(counts: readonly Counts[]): Counts {
  const sum = (of: keyof Counts) => counts.reduce((sum, one) => sum + one[of], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

/**
 * Holds what a tool counted against how it ended: one that crashed or found no test has failed.
 *
 * @param counted undefined when the tool left no report.
 */
export function judge(counted: Counts | undefined, isGood: boolean): Counts {
  const { passed, failed, skipped } = counted ?? { passed: 0, failed: 0, skipped: 0 }
  const isWrong = !isGood || passed + failed + skipped === 0
  return { passed, failed: Math.max(failed, isWrong ? 1 : 0), skipped }
}

/** The numbers of results, such as `7 passed, 0 failed, 2 skipped`. */
export const inNumbers = ({ passed, failed, skipped }: Counts) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
