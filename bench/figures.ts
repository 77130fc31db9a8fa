/** Several measurements of one thing. */
export interface Figure {
  readonly low: number
  readonly median: number
  readonly high: number
}

export function figure(values: readonly number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = Number.NaN] = sorted
  return { low, median: at(sorted, 0.5), high: sorted.at(-1) ?? Number.NaN }
}

/** The ratio of two sides, round by round, so that a slow phase of the machine affects both. */
export function ratio(over: readonly number[], under: readonly number[]): Figure {
  return figure(over.map((value, round) => value / (under[round] ?? Number.NaN)))
}

/** The value below which this share of them lies. @param sorted from low to high. */
function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}
