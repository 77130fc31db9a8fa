import {
  type DeliveryStatus,
  deliveryStatuses,
  noSuppressions,
  type SuppressionReason,
  type Tally,
} from '../delivery-ledger.ts'
import type { Sql } from './connection.ts'
import { addTo, type Counts, keepCounts } from './counters.ts'

/*
 * What is counted of deliveries as they change, in the table `counters` and in the same transaction.
 * A caller who writes a row tells it here.
 */

/** What a row counts as. */
export interface Counted {
  readonly status: DeliveryStatus
  readonly tries: number
  readonly standing?: SuppressionReason | null | undefined
}

/** How the names of these counters begin: each announcement compares them with its rows itself. */
export const OF_DELIVERIES = 'delivery:'
const prefix = (id: string) => `${OF_DELIVERIES}${id}:`

/** The counter of a row: those in the queue who were never tried, and each reason, have their own. */
function counterOf(id: string, { status, tries, standing }: Counted): string {
  const isUntried = status === 'queued' && tries === 0
  const reason = status === 'suppressed' && standing ? `:${standing}` : ''
  return `${prefix(id)}${isUntried ? 'untried' : status}${reason}`
}

/** @param before nothing where the row is new. */
export function countRow(
  counts: Counts,
  id: string,
  before: Counted | undefined,
  after: Counted,
  rows = 1,
): void {
  if (before) addTo(counts, counterOf(id, before), -rows)
  addTo(counts, counterOf(id, after), rows)
}

/** An announcement in numbers. */
export interface Tallied {
  readonly tally: Tally
  readonly suppressedAs: Readonly<Record<SuppressionReason, number>>
}

/** As it was counted with each change. */
export function keptTally(sql: Sql, id: string): Tallied {
  const rows = sql('SELECT name, number FROM counters WHERE name >= ? AND name < ?')
  const first = prefix(id)
  return talliedFrom(
    rows.all(first, `${first.slice(0, -1)};`).map(({ name, number }) => {
      const [kind = '', standing] = String(name).slice(first.length).split(':')
      const isUntried = kind === 'untried'
      return { status: isUntried ? 'queued' : kind, isUntried, standing, number: Number(number) }
    }),
  )
}

/** As its rows are: the proof of the other. */
export function countedTally(sql: Sql, id: string): Tally {
  const rows = sql(`
    SELECT status, tries > 0 AS isTried, count(*) AS number FROM deliveries
    WHERE announcement = ? GROUP BY status, tries > 0`)
  return talliedFrom(
    rows.all(id).map(({ status, isTried, number }) => ({
      status: String(status),
      isUntried: isTried === 0,
      number: Number(number),
    })),
  ).tally
}

interface Group {
  readonly status: string
  readonly isUntried: boolean
  readonly standing?: string | undefined
  readonly number: number
}

function talliedFrom(groups: readonly Group[]): Tallied {
  const sum = (of: (one: Group) => boolean) =>
    groups.filter(of).reduce((all, { number }) => all + number, 0)
  const tally = deliveryStatuses.map((status) => [status, sum((one) => one.status === status)])
  const suppressedAs = noSuppressions()
  for (const { standing, number } of groups)
    if (standing && standing in suppressedAs) suppressedAs[standing as SuppressionReason] += number
  const untried = sum(({ status, isUntried }) => status === 'queued' && isUntried)
  return { tally: { ...Object.fromEntries(tally), untried } as Tally, suppressedAs }
}

/** Leaves of the deliveries to somebody that there was one, and nothing of who they were. */
export function eraseDeliveries(sql: Sql, number: number): void {
  const now = new Date()
  const counts: Counts = new Map()
  const rows = sql(`
    WITH RECURSIVE all_of(id) AS (
      SELECT min(announcement) FROM deliveries UNION ALL
      SELECT (SELECT min(announcement) FROM deliveries WHERE announcement > id)
      FROM all_of WHERE id IS NOT NULL)
    SELECT announcement, status, tries, standing FROM all_of
    JOIN deliveries ON announcement = id WHERE number = ?`)
  // Also those of an announcement of which a restore has kept only rows so far.
  for (const { announcement, status, tries, standing } of rows.all(number)) {
    const id = String(announcement)
    const before = { status, tries, standing } as Counted
    countRow(counts, id, before, { status: 'forgotten', tries: before.tries })
    sql(`
      UPDATE deliveries SET status = 'forgotten', turn = ?, changedAt = ?, owner = NULL, answer = NULL,
        standing = NULL, language = NULL,
        number = min(0, (SELECT min(number) FROM deliveries WHERE announcement = ?)) - 1
      WHERE announcement = ? AND number = ?`).run(
      ...[now.getTime(), now.toISOString(), id, id, number],
    )
  }
  keepCounts(sql, counts)
}

/** The rows of somebody, the newest announcement first. */
export const deliveriesTo = (sql: Sql, number: number) =>
  sql(`
    SELECT deliveries.* FROM deliveries JOIN announcements ON id = announcement
    WHERE number = ? ORDER BY begunAt DESC`).all(number)
