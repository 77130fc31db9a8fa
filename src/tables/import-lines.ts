import { decodeHTMLStrict } from 'entities'
import { extraFrom, parseExtra } from '../people/extra-fields.ts'
import { evidenceIn, mergeExtra } from '../people/known-fields.ts'
import type { Departure } from '../people/standing.ts'
import { parseEmail } from '../shared/email.ts'
import { isProbeAddress } from '../shared/probe-address.ts'
import { type Source, sourceFrom } from '../shared/source.ts'
import type { ImportedStanding, ImportedSubscriber } from '../store/subscriber-list.ts'
import { type RowProblem, refused } from './problems.ts'
import {
  type Columns,
  type ColumnsRead,
  columnsOf,
  columnsRead,
  type NamedColumns,
  type StandingColumn,
} from './row-columns.ts'
import { isFilled, type Said, saidIn, textOf } from './row-standing.ts'
import { readTime, type TimeReading } from './row-time.ts'
import { namesOf, type TableFile, type TableRow, tableRows } from './table-rows.ts'

/** Options for what a file does not define itself. */
export interface Reading extends NamedColumns, TimeReading {
  /** The standing of rows that name none. */
  readonly everybody?: Departure
}

/** One line of a file: a subscriber with their standing, or the reason why the line is refused. */
export type ImportLine = { readonly place: string } & ({ readonly problem: RowProblem } | Read)

interface Read {
  readonly subscriber: Person
  /** What stands in cells that cannot be read. A time is then that of the import. */
  readonly unread: Readonly<Record<string, string>>
}

interface Person extends ImportedSubscriber {
  readonly standing?: ImportedStanding
  readonly source?: Source
}

/**
 * Reads the subscribers in a file one by one.
 *
 * @param hasColumns called once with the columns that are read, as `columnsRead` gives them. @throws Refused when it is no
 *   such file, and before the first row when a column may say who must not be written to.
 */
export async function* importLines(
  table: TableFile,
  reading: Reading,
  hasColumns: (read: ColumnsRead | undefined) => void = () => {},
): AsyncIterable<ImportLine> {
  let columns: Columns | undefined
  for await (const row of tableRows(table)) {
    if (!columns) {
      if (row.names?.some((name) => isLost(name, table))) throw refused({ code: 'broken-name' })
      columns = columnsOf(namesOf(row), { ...withoutHeader(row), ...reading })
      hasColumns(columnsRead(columns, namesOf(row)))
    }
    const found = readLine(row, columns, table, reading)
    yield 'code' in found ? { place: row.place, problem: found } : { place: row.place, ...found }
  }
}

/** Where no column has a name, the address tells the one that it is in. */
function withoutHeader({ names, cells }: TableRow): NamedColumns {
  if (names) return {}
  const email = cells.findIndex((cell) => parseEmail(textOf(cell)) !== undefined)
  return { emailColumn: String(email + 1) }
}

/**
 * Whether a letter was lost: a name without it would be kept for good. Where the file is said to be
 * UTF-8, it was lost before.
 */
const isLost = (cell: unknown, { encoding }: TableFile) =>
  encoding !== 'utf-8' && typeof cell === 'string' && cell.includes('\uFFFD')

/** @returns the subscriber, or the reason for the refusal. */
function readLine(
  row: TableRow,
  columns: Columns,
  table: TableFile,
  reading: Reading,
): RowProblem | Read {
  const email = readAddress(row, columns, table)
  if (typeof email !== 'string') return email
  const now = new Date()
  const signUp = readSignUp(row.cells, columns, reading, now)
  if ('code' in signUp) return signUp
  const left = readStanding(row.cells, columns, reading, now)
  if ('code' in left) return left
  const more = readMore(row, columns)
  const { subscribedAt } = signUp
  return {
    subscriber: { email, subscribedAt, ...left, ...more.said },
    unread: { ...more.unread, ...signUp.unread },
  }
}

/** @returns the address of a row that is whole, or what is wrong with the row. */
function readAddress(row: TableRow, columns: Columns, table: TableFile): string | RowProblem {
  const { cells, isCut } = row
  if (isCut) return { code: 'cut-short' }
  // Where a comma has no quotes, the no may stand in the next column.
  if (cells.slice(namesOf(row).length).some((cell) => cell !== ''))
    return { code: 'too-many-cells' }
  if (columns.used.some((at) => isLost(cells[at], table)))
    return { code: 'not-decoded', encoding: table.encoding }
  const email = cells[columns.email]
  if ((email ?? '') === '') return { code: 'no-address' }
  const parsed = typeof email === 'string' ? parseEmail(email) : undefined
  if (parsed === undefined) return { code: 'not-an-address', value: email }
  // Copied from the head of a letter; with names, another column may have another address of theirs.
  if (!row.names && cells.filter((cell) => textOf(cell).includes('@')).length > 1)
    return { code: 'several-addresses' }
  return isProbeAddress(parsed) ? { code: 'of-a-check', email: parsed } : parsed
}

/** When somebody signed up; where that cannot be read, the time of the import. */
function readSignUp(
  cells: readonly unknown[],
  columns: Columns,
  reading: Reading,
  now: Date,
): RowProblem | { readonly subscribedAt: Date; readonly unread?: { readonly time: string } } {
  const written = columns.times.map((at) => cells[at]).filter((cell) => (cell ?? '') !== '')
  // The time of agreeing is the next best one.
  const agreed = columns.standings.filter(({ says }) => says === 'agreed')
  const times = [
    ...written.map((cell) => readTime(cell, reading)),
    ...agreed.map(({ at }) => readTime(cells[at], reading)).filter((one) => one instanceof Date),
  ]
  const time = times.find((one) => one instanceof Date || one.code === 'day-or-month') ?? times[0]
  if (time instanceof Date) {
    // A time in the future would be after every cut-off.
    if (time > now) return { code: 'to-come', at: time }
    return time.getTime() < 0 ? { code: 'before-1970', at: time } : { subscribedAt: time }
  }
  if (time && (time.code === 'day-or-month' || reading.areAccounts)) return time
  return columns.times.length > 0
    ? { subscribedAt: now, unread: { time: textOf(written[0]) } }
    : { subscribedAt: now }
}

/** What else a row says of somebody, and what of that cannot be read. */
function readMore(row: TableRow, columns: Columns) {
  const { cells } = row
  const names = namesOf(row)
  const text = (at: number) => decodeHTMLStrict(textOf(cells[at])).trim()
  const fields = columns.fields.map(({ name, term, at, fromCell }) => {
    const cell = text(at)
    return { name, term, cell, value: fromCell(cell) }
  })
  const noted = columns.evidence.filter(({ at }) => isFilled(cells[at]))
  const said = noted.map(({ at }) => `${names[at]} ${textOf(cells[at])}`).join(', ')
  const evidence = said && `${noted.find(({ tool }) => tool)?.tool ?? 'another tool'}: ${said}`
  const kept = cells[columns.extra]
  const extra = mergeExtra(
    parseExtra(kept) ?? extraFrom(kept),
    parseExtra({
      ...Object.fromEntries(fields.map(({ name, value }) => [name, value])),
      evidence: evidenceIn({ evidence }),
    }),
  )
  const source = sourceFrom({
    source: cells[columns.source],
    medium: cells[columns.medium],
    campaign: cells[columns.campaign],
  })
  const unread = fields.flatMap(({ term, cell, value }) => (cell && !value ? [[term, cell]] : []))
  return {
    said: { ...(extra && { extra }), ...(source && { source }) },
    unread: Object.fromEntries(unread),
  }
}

const strongest = ['complained', 'unsubscribed', 'quarantined', 'bounced'] as const

/**
 * @returns the standing if the person may not be mailed, nothing if they may, or why it is refused. Of
 *   several columns, each no counts.
 */
function readStanding(
  cells: readonly unknown[],
  columns: Columns,
  reading: Reading,
  now: Date,
): RowProblem | Pick<Person, 'standing' | 'standingAt' | 'detail'> {
  const found = new Set<string | undefined>()
  const times: (Date | RowProblem)[] = []
  for (const column of columns.standings) {
    const value = cells[column.at]
    const said = saidIn(value, reading)
    // Whether a yes there is one to letters, only the operator knows.
    const isNoWord = !said || said.says === 'yes' || said.says === 'no'
    if (column.says === 'status' && isNoWord)
      return { code: 'unknown-standing', word: textOf(value) }
    if (!said) return { code: 'unread-cell', column: column.name, value }
    found.add(meaningIn(column, said))
    if (column.says === 'left' && said.at) times.push(said.at)
  }
  const named = strongest.find((one) => found.has(one))
  const standing = named ?? reading.everybody
  const isSilent = found.has('silent') && !found.has('subscribed')
  if (!standing) return found.has('unconfirmed') || isSilent ? { code: 'never-confirmed' } : {}

  const standingAt = [...times, readTime(cells[columns.standingAt] ?? '', reading)].find(
    (time) => time instanceof Date && time <= now && time.getTime() >= 0,
  )
  const detail = textOf(cells[columns.detail])
  return {
    standing,
    ...(standingAt instanceof Date && { standingAt }),
    ...(detail && { detail }),
  }
}

/** @returns `silent` where others agreed and this cell is empty; nothing where nobody would say more. */
function meaningIn({ says, standing }: StandingColumn, { says: said }: Said) {
  const isLeft = says === 'left'
  if (said === 'yes') return isLeft ? standing : 'subscribed'
  if (said === 'no') return isLeft ? undefined : standing
  if (said === 'nothing') return says === 'agreed' ? 'silent' : undefined
  return isLeft && !strongest.some((one) => one === said) ? undefined : said
}
