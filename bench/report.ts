import { markdownTable } from '../scripts/report.ts'
import type { Figure } from './figures.ts'

/** What a figure must reach, and what we aim at. */
export interface Budget {
  readonly must: number
  readonly aim: number
  readonly better: 'more' | 'less'
}

/** One line of the table. */
export interface Row {
  readonly what: string
  readonly figure: Figure
  readonly unit: string
  readonly budget?: Budget
}

/** What a section found out; a note is a sentence on what could not be measured, or how it was. */
export interface Findings {
  readonly rows: readonly Row[]
  readonly notes?: readonly string[]
}

export const single = (value: number): Figure => ({ low: value, median: value, high: value })

/** Where a figure stands, by its median. */
export function verdict({ figure, budget }: Row): '' | 'aim' | 'must' | 'MISSED' {
  if (!budget) return ''
  const reaches = (limit: number) =>
    budget.better === 'more' ? figure.median >= limit : figure.median <= limit
  if (reaches(budget.aim)) return 'aim'
  return reaches(budget.must) ? 'must' : 'MISSED'
}

/** The rows as a table of Markdown, which reads well in a terminal too. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    `${amount(row.figure.median)} ${row.unit}`.trim(),
    row.figure.low === row.figure.high
      ? ''
      : `${amount(row.figure.low)} to ${amount(row.figure.high)}`,
    row.budget ? amount(row.budget.must) : '',
    row.budget ? amount(row.budget.aim) : '',
    verdict(row),
  ])
  return markdownTable(['what', 'median', 'spread', 'must', 'aim', 'reached'], cells)
}

function amount(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3
  return value.toLocaleString('en', { maximumFractionDigits: digits })
}
