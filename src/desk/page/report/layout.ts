import { isShown, type Part } from '../../../shared/report.ts'

/** Beside others, more columns have no space. */
const MOST_BESIDE = 3

/** Whether a part takes the whole width. */
export const isWide = (part: Part) =>
  part.part === 'table' && part.columns.length + Number(part.act !== undefined) > MOST_BESIDE

/** Parts in two columns of about the same height, in their order. */
export function inTwo(parts: readonly Part[]): [left: readonly Part[], right: readonly Part[]] {
  const heightOf = (some: readonly Part[]) => some.reduce((sum, one) => sum + rowsOf(one), 0)
  const splits = parts.map((_, at) => [parts.slice(0, at + 1), parts.slice(at + 1)] as const)
  const uneven = splits.map(([left, right]) => Math.abs(heightOf(left) - heightOf(right)))
  const [left = [], right = []] = splits[uneven.indexOf(Math.min(...uneven))] ?? []
  return [left, right]
}

/** With the heading of a table. */
function rowsOf(part: Part): number {
  if (part.part === 'figures') return part.figures.filter(isShown).length
  if (part.part === 'acts') return 2 + part.acts.length
  if (part.part === 'history') return 2 + 2 * part.moments.length
  return part.part === 'table' ? 2 + Math.min(part.most, part.rows.length) : 0
}
