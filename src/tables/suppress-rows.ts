import { hash } from 'node:crypto'
import type { Departure } from '../people/standing.ts'
import { domainOf } from '../shared/address-folding.ts'
import { parseEmail } from '../shared/email.ts'
import type { HeardRefusal } from '../store/refusal.ts'
import type { HeardDeparture } from '../store/subscriber-list.ts'
import type { RowProblem } from './problems.ts'
import data from './refusals.json' with { type: 'json' }
import { columnsOf } from './row-columns.ts'
import { plainWord } from './row-standing.ts'
import { readTime, type TimeReading } from './row-time.ts'
import { type TableFile, type TableRow, tableRows } from './table-rows.ts'
import { verdictOf } from './verdict.ts'

export interface SuppressReading extends TimeReading {
  readonly emailColumn?: string
  /** The standing for rows that give none. */
  readonly as?: Departure
}

/**
 * A row of a provider's file, or a report: a refused letter, a suppression, that of a link whose
 * reader hides their address, nothing to do, or a problem.
 */
export type SuppressRow =
  | { readonly kind: 'refusal'; readonly heard: HeardRefusal }
  | { readonly kind: 'departure'; readonly heard: HeardDeparture }
  | { readonly kind: 'unsubscribe'; readonly addressId: string }
  | { readonly kind: 'harmless' }
  | { readonly kind: 'problem'; readonly place: string; readonly problem: RowProblem }

/**
 * Reads a provider's list of bounces and complaints.
 *
 * @throws Refused when it is no such file.
 */
export async function* suppressRows(
  table: TableFile,
  reading: SuppressReading,
): AsyncIterable<SuppressRow> {
  let find: ReturnType<typeof finder> | undefined
  for await (const row of tableRows(table)) {
    find ??= finder(row, reading)
    yield readRow(row, find(row.cells), reading)
  }
}

type Found = ReturnType<ReturnType<typeof finder>>

/** Finds what counts in a row; without names, any cell may have the address, and any the reason. */
function finder({ names }: TableRow, { emailColumn }: SuppressReading) {
  const text = (cell: unknown) => (typeof cell === 'string' ? cell : '')
  if (!names)
    return (cells: readonly unknown[]) => ({
      email: cells.find((cell) => parseEmail(text(cell)) !== undefined) ?? cells[0],
      time: undefined,
      reasons: cells.map(text),
      prose: '',
    })
  const plain = names.map(plainWord)
  const reasons = data.reasons.split(' ').flatMap((name) => plain.indexOf(name))
  const { email, times } = columnsOf(names, {
    areAccounts: true,
    ...(emailColumn !== undefined && { emailColumn }),
  })
  return (cells: readonly unknown[]) => ({
    email: cells[email],
    time: times.map((at) => cells[at]).find((cell) => (cell ?? '') !== ''),
    reasons: reasons.map((at) =>
      typeof cells[at] === 'number' ? `${cells[at]}` : text(cells[at]),
    ),
    // What the provider says of all rows of this type.
    prose: text(cells[plain.indexOf('description')]),
  })
}

function readRow({ place }: TableRow, found: Found, reading: SuppressReading): SuppressRow {
  const refused = (problem: RowProblem): SuppressRow => ({ kind: 'problem', place, problem })
  const email = typeof found.email === 'string' ? parseEmail(found.email) : undefined
  if (email === undefined) return refused({ code: 'not-an-address', value: found.email ?? '' })
  const verdict = verdictOf(found.reasons, found.prose, domainOf(email)) ?? reading.as
  if (verdict === 'harmless') return { kind: 'harmless' }
  if (!verdict) return refused({ code: 'no-reason' })
  const time = readTime(found.time ?? '', reading)
  const isPast = time instanceof Date && time.getTime() >= 0 && time <= new Date()
  const detail = found.reasons.find((reason) => reason.includes(' '))
  const heard = { email, ...(isPast && { at: time }), ...(detail && { detail }) }
  if (verdict !== 'gone' && verdict !== 'full' && verdict !== 'other')
    return { kind: 'departure', heard: { ...heard, standing: verdict } }
  const report = hash('sha256', JSON.stringify([found.time, found.reasons]))
  return { kind: 'refusal', heard: { ...heard, refusal: verdict, report } }
}
