import { noneOfEach, type TimeRange } from '../store/subscriber-list.ts'
import type { ExportStore } from './export-list.ts'
import { isFormula, type Tool } from './formats.ts'
import { filesFor } from './tools.ts'

/** Waits until the text is taken, which is part of this file. */
export type WriteTo = (file: string, text: string) => Promise<void>

/**
 * Writes the files that another tool reads: those who may be mailed, and those who left.
 *
 * @returns how many each file has, how many of each standing are in none, and how many addresses
 *   have an apostrophe in front, since a spreadsheet would take them for formulas.
 */
export async function exportFor(
  store: Pick<ExportStore, 'list'>,
  tool: Tool,
  range: TimeRange,
  write: WriteTo,
) {
  const files = filesFor[tool]
  const counts = new Map(files.map(({ name }) => [name, 0]))
  const left = noneOfEach()
  let guarded = 0
  for (const { name, columns } of files) await write(name, `${Object.keys(columns).join(',')}\r\n`)
  for await (const one of store.list.stream({ ...range, standing: 'all' })) {
    const file = files.find(({ standings }) => standings.includes(one.standing))
    if (!file) {
      left[one.standing] += 1
      continue
    }
    const cells = Object.values(file.columns).map((cell) => cell(one))
    await write(file.name, `${cells.join(',')}\r\n`)
    counts.set(file.name, (counts.get(file.name) ?? 0) + 1)
    if (isFormula(one.email)) guarded += 1
  }
  return { counts, left, guarded }
}
