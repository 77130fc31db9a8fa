import { parseEmail } from '../shared/email.ts'
import { languageCode } from '../shared/language-code.ts'
import { isProbeAddress } from '../shared/probe-address.ts'
import { Refused } from '../shared/refused.ts'
import { type Source, sourceFrom } from '../shared/source.ts'
import { evidenceIn } from '../store/evidence.ts'
import { extraFrom, mergeExtra, parseExtra } from '../store/extra.ts'
import { firstNameFrom } from '../store/first-name.ts'
import type { Departure } from '../store/standing.ts'
import type { ImportedStanding, ImportedSubscriber } from '../store/subscriber-list.ts'
import { withoutReferences } from './html-entities.ts'
import { type RowProblem, refused } from './problems.ts'
import {
  type Columns,
  type ColumnsRead,
  columnsOf,
  columnsRead,
  type NamedColumns,
} from './row-columns.ts'
import { isFilled, meaningOf, textOf } from './row-standing.ts'
import { readTime, type TimeReading } from './row-time.ts'
import { type TableFile, type TableRow, tableRows } from './table-rows.ts'

/** Options for what a file does not define itself. */
export interface Reading extends NamedColumns, TimeReading {
  /** The standing of rows that name none. */
  readonly everybody?: Departure
  /** The rows are accounts of a product: a time that cannot be read refuses its row. */
  readonly areAccounts?: boolean
  /** A text as a reply to the question of the page; nothing for what is none. */
  readonly readReply?: (text: string) => string | undefined
}

/** One line of a file: a subscriber with their standing, or the reason why the line is refused. */
export type ImportLine = { readonly place: string } & ({ readonly problem: RowProblem } | Read)

interface Read {
  readonly subscriber: Person
  readonly unreadLanguage?: string
  readonly unreadFirstName?: string
  readonly unreadReply?: string
  /** The time is that of the import, though there are columns with times: what stands there. */
  readonly unreadTime?: string
}

interface Person extends ImportedSubscriber {
  readonly standing?: ImportedStanding
  readonly source?: Source
}

/**
 * Reads the subscribers in a file one by one.
 *
 * @param hasColumns called once with the columns that are read, as `columnsRead` gives them. @throws Refused when it is no
 *   such file.
 */
export async function* importLines(
  table: TableFile,
  reading: Reading,
  hasColumns: (read: ColumnsRead | undefined) => void = () => {},
): AsyncIterable<ImportLine> {
  let seen: { key: string; columns: Columns } | undefined
  for await (const row of tableRows(table)) {
    const key = row.names?.join('\n') ?? ''
    if (isLost(key, table)) throw refused({ code: 'broken-name' })
    if (seen?.key !== key) {
      const columns = columnsOfRow(row, table.format === 'csv', reading)
      if (columns && !seen) hasColumns(columnsRead(columns, namesOf(row)))
      seen = columns && { key, columns }
    }
    const lost = seen?.columns.used.some((at) => isLost(row.cells[at], table))
    const line = lost
      ? notDecoded(table)
      : seen
        ? readLine(row, seen.columns, reading, new Date())
        : noAddress
    yield 'code' in line ? { place: row.place, problem: line } : { place: row.place, ...line }
  }
}

/** @returns `undefined` for a JSON row without an address; later rows may have one. */
function columnsOfRow(row: TableRow, isCsv: boolean, reading: Reading): Columns | undefined {
  try {
    if (row.names || reading.emailColumn) return columnsOf(namesOf(row), reading)
  } catch (error) {
    if (isCsv || !(error instanceof Refused)) throw error
    return undefined
  }
  const isTime = (cell: unknown) => readTime(cell, reading) instanceof Date
  const times = row.cells.flatMap((cell, i) => (isTime(cell) ? [i] : []))
  const email = row.cells.findIndex((cell) => parseEmail(textOf(cell)) !== undefined)
  return { ...nothing, email, times: times.slice(0, 1), used: [email] }
}

const nothing = {
  times: [],
  standings: [],
  left: [],
  ignored: [],
  standingAt: -1,
  detail: -1,
  extra: -1,
  source: -1,
  medium: -1,
  campaign: -1,
  language: -1,
  firstName: -1,
  reply: -1,
  evidence: [],
}

function namesOf({ names, cells }: TableRow): readonly string[] {
  return names ?? cells.map((_, i) => `column ${i + 1}`)
}

const noAddress: RowProblem = { code: 'no-address' }

/**
 * Whether a letter was lost: a name without it would be kept for good. Where the file is said to be
 * UTF-8, it was lost before.
 */
const isLost = (cell: unknown, { encoding }: TableFile) =>
  encoding !== 'utf-8' && typeof cell === 'string' && cell.includes('\uFFFD')

const notDecoded = ({ encoding }: TableFile): RowProblem => ({
  code: 'not-decoded',
  ...(encoding && { encoding }),
})

/** @returns the subscriber, or the reason for the refusal. */
function readLine(
  { cells, names = [] }: TableRow,
  columns: Columns,
  reading: Reading,
  now: Date,
): RowProblem | Read {
  const email = cells[columns.email]
  const parsed = typeof email === 'string' ? parseEmail(email) : undefined
  if (parsed === undefined) return { code: 'not-an-address', value: email ?? '' }
  if (isProbeAddress(parsed)) return { code: 'of-a-check', email: parsed }

  const written = columns.times.map((at) => cells[at]).filter((cell) => (cell ?? '') !== '')
  const times = written.map((cell) => readTime(cell, reading))
  const time = times.find((one) => one instanceof Date || one.code === 'day-or-month') ?? times[0]
  const isRead = time instanceof Date
  if (time && !isRead && (time.code === 'day-or-month' || reading.areAccounts)) return time
  const subscribedAt = isRead ? time : now
  // A time in the future would be after every cut-off.
  if (subscribedAt > now) return { code: 'to-come', at: subscribedAt }
  if (subscribedAt.getTime() < 0) return { code: 'before-1970', at: subscribedAt }

  const left = readStanding(cells, columns, reading, now)
  if ('code' in left) return left
  const kept = cells[columns.extra]
  const text = (at: number) => withoutReferences(textOf(cells[at])).trim()
  const [saidLanguage, name, reply] = [columns.language, columns.firstName, columns.reply].map(text)
  const language = languageCode(saidLanguage)
  const firstName = firstNameFrom(name)
  const answer = reply ? reading.readReply?.(reply) : undefined
  const noted = columns.evidence.filter(({ at }) => isFilled(cells[at]))
  const said = noted.map(({ at }) => `${names[at]} ${textOf(cells[at])}`).join(', ')
  const evidence = said && `${noted.find(({ tool }) => tool)?.tool ?? 'another tool'}: ${said}`
  const extra = mergeExtra(
    parseExtra(kept) ?? extraFrom(kept),
    parseExtra({ language, firstName, answer, evidence: evidenceIn({ evidence }) }),
  )
  const source = sourceFrom({
    source: cells[columns.source],
    medium: cells[columns.medium],
    campaign: cells[columns.campaign],
  })
  return {
    subscriber: {
      email: parsed,
      subscribedAt,
      ...left,
      ...(extra && { extra }),
      ...(source && { source }),
    },
    ...(saidLanguage && !language && { unreadLanguage: saidLanguage }),
    ...(name && !firstName && { unreadFirstName: name }),
    ...(reply && !answer && { unreadReply: reply }),
    ...(columns.times.length > 0 && !isRead && { unreadTime: textOf(written[0]) }),
  }
}

const strongest = ['complained', 'bounced', 'unsubscribed', 'quarantined'] as const

/**
 * @returns the standing if the person may not be mailed, nothing if they may, or why it is refused.
 */
function readStanding(
  cells: readonly unknown[],
  columns: Columns,
  reading: Reading,
  now: Date,
): RowProblem | Pick<Person, 'standing' | 'standingAt' | 'detail'> {
  const found = new Set<ImportedStanding>(reading.everybody ? [reading.everybody] : [])
  for (const column of columns.standings) {
    const word = textOf(cells[column.at])
    const meaning = meaningOf(word)
    if (!meaning) return { code: 'unknown-standing', word }
    if (meaning === 'unconfirmed') {
      if (!column.isVerdictOnMailbox) return { code: 'never-confirmed' }
    } else if (meaning !== 'subscribed') found.add(meaning)
  }
  const left = columns.left.filter(({ at }) => isFilled(cells[at]))
  for (const column of left) found.add(column.standing)
  const standing = strongest.find((one) => found.has(one))
  if (!standing) return {}

  const times = [...left.map(({ at }) => cells[at]), cells[columns.standingAt]]
  const standingAt = times
    .map((time) => readTime(time ?? '', reading))
    .find((time) => time instanceof Date && time <= now && time.getTime() >= 0)
  const detail = textOf(cells[columns.detail])
  return {
    standing,
    ...(standingAt instanceof Date && { standingAt }),
    ...(detail && { detail }),
  }
}
