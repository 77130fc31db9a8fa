import { readFileSync } from 'node:fs'
import { markdownTable } from '../report.ts'

/** What Stryker writes, as far as we read it. */
interface Report {
  readonly files: Readonly<Record<string, { source: string; mutants: readonly Mutant[] }>>
}

interface Mutant {
  readonly status: string
  readonly mutatorName: string
  readonly replacement?: string
  readonly location: { readonly start: Place; readonly end: Place }
}

interface Place {
  readonly line: number
  readonly column: number
}

const NOTICED = ['Killed', 'Timeout']
const LEFT = ['Survived', 'NoCoverage']

/** A table of how many small mistakes were noticed in each file, and a line for each of the others. */
export function mutantsReport(file: string): string {
  const { files }: Report = JSON.parse(readFileSync(file, 'utf8'))
  const counted = Object.entries(files).map(([path, { mutants }]) => ({
    path,
    noticed: mutants.filter(({ status }) => NOTICED.includes(status)).length,
    left: mutants.filter(({ status }) => LEFT.includes(status)).length,
  }))
  const all = {
    path: 'all',
    noticed: counted.reduce((sum, { noticed }) => sum + noticed, 0),
    left: counted.reduce((sum, { left }) => sum + left, 0),
  }
  const rows = [...counted.filter(({ noticed, left }) => noticed + left > 0), all].map(
    ({ path, noticed, left }) => [
      ...[path, String(noticed + left), String(left)],
      `${((100 * noticed) / Math.max(1, noticed + left)).toFixed(1)} %`,
    ],
  )
  const table = markdownTable(['file', 'mistakes', 'not noticed', 'noticed'], rows)
  return [...Object.entries(files).flatMap(leftIn), '', table].join('\n')
}

function leftIn([path, { source, mutants }]: [string, Report['files'][string]]): string[] {
  const lines = source.split('\n')
  return mutants
    .filter(({ status }) => LEFT.includes(status))
    .map(({ location: { start, end }, replacement = '', mutatorName }) => {
      const line = lines[start.line - 1] ?? ''
      const was = line.slice(start.column - 1, start.line === end.line ? end.column - 1 : undefined)
      return `${path}:${start.line} ${mutatorName}: ${was} → ${short(replacement)}`
    })
}

function short(code: string): string {
  const line = code.replace(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
