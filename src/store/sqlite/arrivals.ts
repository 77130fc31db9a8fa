import type { Line } from '../../people/place-in-line.ts'
import { type Arrival, FOUND } from '../arrival.ts'
import { isAnyUnnamed, isBoundTo, type Keyed, UNNAMED } from './bound-to-key.ts'
import type { Sql } from './connection.ts'
import { countNote, noteIn } from './notes.ts'
import { inRecord } from './own-collection.ts'

export const lines = [0, 1, 2] as const satisfies readonly Line[]
/** What could not be taken in waits for the next start, as no line does. */
export const SET_ASIDE = 9

/** What is seen of one that comes late, from `:now` on, in SQL. */
export const seenLate = "iif(json_valid(seen), json_set(seen, '$.appendedAt', :now), seen)"

/** From now on it is judged by its time, which is not later than now, by any clock. */
export function setAside(sql: Sql, id: number): void {
  const at = inRecord('subscribedAt')
  sql(`
    UPDATE documents SET waits = ${SET_ASIDE},
      data = iif(${at} > :now, json_set(data, '$.subscribedAt', :now), data),
      seen = ${seenLate}
    WHERE id = :id`).run({ id, now: new Date().toISOString() })
}

/**
 * Appends what came, without looking anything up; the first of all binds the file to its key. Where
 * nothing came, the disk is tested all the same.
 */
export function append(keyed: Keyed, arrivals: readonly Arrival[]): void {
  const { sql, ids } = keyed
  if (arrivals.length === 0) {
    countNote(sql, 'commits')
    return
  }
  const data = `/artifacts/${noteIn(sql, 'appId')}/public/data/`
  const insert = sql(`
    INSERT INTO documents (collection, data, waits, seen, addressId) VALUES (?, ?, ?, ?, ?)`)
  const isNamed = isBoundTo(keyed)
  // Once for all: each sign-up counts.
  const now = new Date().toISOString()
  for (const { to, who, line, seen, at = now } of arrivals) {
    const record = JSON.stringify({ ...who, subscribedAt: at })
    const addressId = 'email' in who ? ids.of(who.email) : who.addressId
    const whose = isNamed ? addressId : UNNAMED
    insert.run(data + to, record, line, JSON.stringify(seen), whose)
  }
}

export type Row = Readonly<Record<string, unknown>>

/** More than people leave by hand; a robot may leave a million of one address. */
const MOST_AT_ONCE = 1000

/**
 * What waits of people, by the ids of their addresses, in order: the last of it, since visitors wait for
 * the end. All before comes late from now on, and waits.
 */
export function waitingOf(sql: Sql, addressIds: readonly string[]): Row[] {
  const theirs = JSON.stringify(addressIds)
  const newest = 'ORDER BY id DESC LIMIT'
  const rows = sql(`${ofThem('documents.*')} ${newest} ${MOST_AT_ONCE + 1}`).all(theirs)
  if (rows.length > MOST_AT_ONCE)
    sql(`
      UPDATE documents SET seen = ${seenLate}
      WHERE id IN (${ofThem('id')} ${newest} -1 OFFSET ${MOST_AT_ONCE})
      AND iif(json_valid(seen), seen ->> 'appendedAt', '') IS NULL`).run(
      ...[{ now: new Date().toISOString() }, theirs],
    )
  return rows.slice(0, MOST_AT_ONCE).reverse()
}

/** Whether anything waits of somebody, or of nobody knows whom. */
export const isAnyOf = (sql: Sql, addressId: string): boolean =>
  isAnyUnnamed(sql) || sql(`${ofThem('1')} LIMIT 1`).get(JSON.stringify([addressId])) !== undefined

/** Those that wait, in SQL, without what was found. */
export const waiting = `waits < ${FOUND}`

const listed = 'IN (SELECT value FROM json_each(?))'

function ofThem(columns: string, index = 'what waits of somebody', among = waiting): string {
  const documents = `documents INDEXED BY "${index}"`
  return `
    WITH RECURSIVE blocks (block) AS (
      SELECT min(id >> 8) FROM ${documents} WHERE ${among}
      UNION ALL SELECT (SELECT min(id >> 8) FROM ${documents} WHERE ${among} AND id >> 8 > block)
      FROM blocks WHERE block IS NOT NULL)
    SELECT ${columns}
    FROM blocks CROSS JOIN ${documents} ON id >> 8 = block AND documents.addressId ${listed}
    WHERE ${among}`
}

/** Those that wait for a letter to ask them, in SQL. */
export const isRequest = `${waiting} AND collection LIKE '%/confirmationRequests'`

/** The lowest number of what is in line. */
export function firstIn(sql: Sql): number | undefined {
  const first = lines.flatMap((line) => {
    const id = sql('SELECT min(id) AS id FROM documents WHERE waits = ?').get(line)?.id
    return typeof id === 'number' ? id : []
  })
  return first.length === 0 ? undefined : Math.min(...first)
}

export const lastIn = (sql: Sql): number =>
  Number(sql('SELECT max(id) AS id FROM documents').get()?.id ?? 0)

/** Erases what waits or was found of the addresses with these ids, and came by a time. */
export function eraseUntil(sql: Sql, addressIds: readonly string[], until: string): void {
  const isLater = `${inRecord('subscribedAt')} > ?`
  for (const theirs of [ofThem('id'), ofThem('id', 'found of somebody', `waits = ${FOUND}`)])
    sql(`DELETE FROM documents WHERE id IN (${theirs}) AND (${isLater}) IS NOT TRUE`).run(
      ...[JSON.stringify(addressIds), until],
    )
}

/** Erases what waits of addresses, and that they referred others who wait. */
export function eraseWaiting({ sql, ids }: Keyed, emails: readonly string[]): void {
  const theirs = emails.map(ids.of)
  eraseUntil(sql, theirs, '~')
  sql(`
    UPDATE documents SET seen = json_remove(seen, '$.referredBy')
    WHERE ${waiting} AND iif(json_valid(seen), seen ->> 'referredBy', NULL) ${listed}`).run(
    JSON.stringify(theirs),
  )
}
