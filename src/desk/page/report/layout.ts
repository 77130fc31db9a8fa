import type { Part } from '../../../shared/report.ts'

/** Beside others, more columns have no room. */
const MOST_BESIDE = 3

/** Whether a part takes the whole width. */
export const isWide = (part: Part) =>
  part.part === 'table' && part.columns.length + Number(part.act !== undefined) > MOST_BESIDE

/** Parts in two columns of about the same height, in their order. */
export function inTwo(parts: readonly Part[]): [left: readonly Part[], right: readonly Part[]] {
  const heights = parts.map(heightOf)
  const all = sum(heights)
  const at = heights.findIndex((_, i) => i > 0 && sum(heights.slice(0, i)) >= all / 2)
  return at < 0 ? [parts, []] : [parts.slice(0, at), parts.slice(at)]
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

/** In rows, with a heading. */
function heightOf(part: Part): number {
  if (part.part === 'figures') return 2 + part.figures.length
  return part.part === 'table' ? 3 + Math.min(part.most, part.rows.length) : 0
}
