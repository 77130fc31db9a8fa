import type { Departure } from '../people/standing.ts'
import { Refused } from '../shared/refused.ts'
import { refused } from './problems.ts'
import type { Columns, NamedColumns } from './row-columns.ts'
import { type Meaning, meaningOf, plainWord, saidIn, textOf } from './row-standing.ts'
import type { TimeReading } from './row-time.ts'
import { isOfAnother } from './standing-columns.ts'
import { type TableFile, type TableRow, tableRows } from './table-rows.ts'

/** What the operator, and the name of a file, say of all of it. */
export interface Surveying extends NamedColumns, TimeReading {
  /** The standing of rows that name none. */
  readonly everybody?: Departure | 'never-agreed' | 'may-have-left'
  /** Nearly all may have left. */
  readonly theyLeft?: boolean
}

/** A row as it will be taken. */
interface RowRead {
  readonly names: readonly string[]
  readonly cells: readonly unknown[]
  readonly columns: Columns | undefined
  readonly line: { readonly place: string; readonly subscriber?: { readonly standing?: unknown } }
}

/** A list has fewer columns; of JSON, further names are read with their rows alone. */
const MOST_NAMES = 1000
/** From how many people on, and from which share of them, those who left may be a mistake. */
const [LEAST_PEOPLE, NEARLY_ALL] = [5, 0.9]

/**
 * Reads a whole file before anything of it is taken.
 *
 * @returns the names of all columns, and those of them in which somebody agreed. @throws Refused when
 *   the file may say of people who left that they may be written to, or the opposite.
 */
export async function survey(
  table: TableFile,
  reading: Surveying,
  read: (row: TableRow) => RowRead,
) {
  const { everybody, theyLeft, statusColumn } = reading
  if (everybody === 'never-agreed') throw refused({ code: 'never-agreed' })
  const names = new Set<string>()
  const agreedIn = new Set<string>()
  const unread = new Set<string>()
  const words = new Map<string, Set<Meaning | undefined>>()
  let [people, left] = [0, 0]

  function note({ names: ofRow, cells, columns, line }: RowRead) {
    for (const [at, name] of ofRow.entries()) {
      if (names.size < MOST_NAMES) names.add(name)
      const seen = words.get(name) ?? new Set()
      const isRead = columns?.used.includes(at) || !names.has(name)
      if (isRead || seen.has(undefined) || (cells[at] ?? '') === '') continue
      words.set(name, seen.add(meaningOf(textOf(cells[at]))))
    }
    for (const { at, name, says, isText, isUnclear, isTurned } of columns?.telling ?? []) {
      if ((isText && !isTurned) || unread.has(name) || agreedIn.has(name)) continue
      const said = saidIn(cells[at], reading)?.says
      const isNothing = said === 'nothing' || (said === 'no' && says === 'left')
      if ((isUnclear && !isNothing) || (isTurned && /^(yes|no)$/.test(said ?? ''))) unread.add(name)
      if (!isUnclear && says === 'agreed' && said === 'yes') agreedIn.add(name)
    }
    people += line.subscriber ? 1 : 0
    left += line.subscriber?.standing ? 1 : 0
  }

  try {
    for await (const row of tableRows(table)) note(read(row))
  } catch (error) {
    // Where it is broken is met again, once what stands before is taken.
    if (!(error instanceof Refused) || error.why.code === 'unreadable') throw error
  }
  // Nothing but words for how people stand, under a name that does not tell.
  for (const [name, said] of statusColumn === undefined && people > 1 ? words : [])
    if (!said.has(undefined) && !isOfAnother(name) && [...said].some((one) => one !== 'subscribed'))
      unread.add(name)
  if (unread.size > 0) throw refused({ code: 'unread-columns', names: [...unread] })
  const isByName = everybody === 'may-have-left' && left < people && !reading.areAccounts
  if (isByName && !theyLeft) throw refused({ code: 'may-have-left' })
  const isOurs = [...names].some((name) => /^standing(at)?$/.test(plainWord(name)))
  const isMostlyLeft = people >= LEAST_PEOPLE && left >= NEARLY_ALL * people
  if (isMostlyLeft && !everybody && !theyLeft && !isOurs)
    throw refused({ code: 'mostly-left', left, people })
  return { names: [...names], agreedIn }
}
