import { type Counted, noSuppressions, noTally, type Tally } from '../delivery-ledger.ts'
import type { Sql } from './connection.ts'

/** How the names of their counters begin: each announcement compares them with its rows itself. */
export const OF_DELIVERIES = 'delivery:'

/** The counter of a row, in SQL: what is queued and was never tried, and each reason, has its own. */
const counterOf = (row: 'old' | 'new') => `
  '${OF_DELIVERIES}' || ${row}.announcement || ':' ||
    iif(${row}.status = 'queued' AND ${row}.tries = 0, 'untried', ${row}.status) ||
    iif(${row}.status = 'suppressed', coalesce(':' || ${row}.standing, ''), '')`

const countOne = `
  INSERT INTO counters (name, number) VALUES (${counterOf('new')}, 1)
  ON CONFLICT DO UPDATE SET number = number + 1;`

/** What counts the rows as they change: counting a million takes as long as a visitor would notice. */
export const countingDeliveries = `
CREATE TRIGGER "a delivery is new" AFTER INSERT ON deliveries BEGIN${countOne}
END;
CREATE TRIGGER "a delivery changes" AFTER UPDATE OF status, tries, standing ON deliveries BEGIN
  UPDATE counters SET number = number - 1 WHERE name = ${counterOf('old')};${countOne}
END;`

/** An announcement in numbers, as they were counted with each change. */
export function keptCounts(sql: Sql, id: string): Counted {
  const first = `${OF_DELIVERIES}${id}:`
  const rows = sql(`
    SELECT substr(name, ?) AS kind, number FROM counters WHERE name >= ? AND name < ?`)
  return added(rows.all(first.length + 1, first, `${first.slice(0, -1)};`))
}

/** The tally of its rows as they are. */
export const countedTally = (sql: Sql, id: string): Tally =>
  added(
    sql(`
      SELECT iif(status = 'queued' AND NOT tries > 0, 'untried', status) AS kind, count(*) AS number
      FROM deliveries WHERE announcement = ? GROUP BY status, tries > 0`).all(id),
  ).tally

function added(rows: readonly Readonly<Record<string, unknown>>[]): Counted {
  const [tally, suppressed] = [noTally(), noSuppressions()]
  const add = <Name extends string>(to: Record<Name, number>, name: string, number: unknown) => {
    if (name in to) to[name as Name] += Number(number)
  }
  for (const { kind, number } of rows) {
    const [status = '', standing = ''] = String(kind).split(':')
    add(tally, status, number)
    if (status === 'untried') add(tally, 'queued', number)
    add(suppressed, standing, number)
  }
  return { tally, suppressed }
}

/** A person without a row is new to it, since the list here may have other people. */
export function countAgain(sql: Sql, id: string): void {
  sql(`
    UPDATE announcements SET
      eligible = (SELECT count(*) FROM deliveries WHERE announcement = :id),
      upTo = coalesce(
        (SELECT min(number) - 1 FROM persons WHERE number IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM deliveries
          WHERE announcement = :id AND deliveries.number = persons.number)),
        (SELECT max(number) FROM persons), 0)
    WHERE id = :id AND eligible IS NOT NULL`).run({ id })
}

/** Leaves of the deliveries to somebody that there was one, and nothing of who they were. */
export function eraseDeliveries(sql: Sql, number: number): void {
  const now = new Date()
  const rows = sql(`
    WITH RECURSIVE all_of(id) AS (
      SELECT min(announcement) FROM deliveries UNION ALL
      SELECT (SELECT min(announcement) FROM deliveries WHERE announcement > id)
      FROM all_of WHERE id IS NOT NULL)
    SELECT announcement FROM all_of
    JOIN deliveries ON announcement = id WHERE number = ?`)
  // Also those of an announcement of which a restore has kept only rows so far.
  for (const { announcement: id = null } of rows.all(number))
    sql(`
      UPDATE deliveries SET status = 'forgotten', turn = ?, changedAt = ?, owner = NULL, answer = NULL,
        standing = NULL, language = NULL,
        number = min(0, (SELECT min(number) FROM deliveries WHERE announcement = ?)) - 1
      WHERE announcement = ? AND number = ?`).run(
      ...[now.getTime(), now.toISOString(), id, id, number],
    )
}

/** The rows of somebody, the newest announcement first. */
export const deliveriesTo = (sql: Sql, number: number) =>
  sql(`
    SELECT deliveries.* FROM deliveries JOIN announcements ON id = announcement
    WHERE number = ? ORDER BY begunAt DESC`).all(number)

/** Whether somebody on the list was sent a letter. */
export function wasWrittenTo(sql: Sql, addressId: string): boolean {
  const row = sql('SELECT number FROM persons WHERE id = ? AND number IS NOT NULL').get(addressId)
  return row !== undefined && deliveriesTo(sql, Number(row.number)).length > 0
}
