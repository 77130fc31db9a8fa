import type { AddressIds } from '../../keys/address-id.ts'
import type { Line } from '../../people/signs.ts'
import type { Arrival } from '../arrival.ts'
import type { Sql } from './connection.ts'
import { countNote, noteIn } from './notes.ts'
import { inRecord } from './own-collection.ts'

export const lines = [0, 1, 2] as const satisfies readonly Line[]
/** What could not be taken in waits for the next start, as no line does. */
export const SET_ASIDE = 9

export function setAside(sql: Sql, id: number): void {
  sql(`UPDATE documents SET waits = ${SET_ASIDE} WHERE id = ?`).run(id)
}

/**
 * Appends what came, without looking anything up. Where nothing did, the disk is tested all the same.
 *
 * @param now the time of all that have none of their own.
 */
export function append(sql: Sql, arrivals: readonly Arrival[], now = new Date()): void {
  if (arrivals.length === 0) countNote(sql, 'commits')
  const data = `/artifacts/${noteIn(sql, 'appId')}/public/data/`
  const insert = sql('INSERT INTO documents (collection, data, waits, seen) VALUES (?, ?, ?, ?)')
  for (const { to, who, line, seen, at = now } of arrivals) {
    const record = JSON.stringify({ ...who, subscribedAt: at })
    insert.run(data + to, record, line, JSON.stringify(seen))
  }
}

/** Those that wait, in SQL. */
export const waiting = 'waits IS NOT NULL'

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

const listed = 'IN (SELECT value FROM json_each(?))'

/** Erases what waits of addresses, and that they brought others who wait. */
export function eraseWaiting(sql: Sql, ids: AddressIds, emails: readonly string[]): void {
  const [addresses, theirs] = [JSON.stringify(emails), JSON.stringify(emails.map(ids.of))]
  sql(`DELETE FROM documents WHERE ${waiting} AND ${inRecord('email')} ${listed}`).run(addresses)
  sql(`DELETE FROM documents WHERE ${waiting} AND ${inRecord('addressId')} ${listed}`).run(theirs)
  sql(`
    UPDATE documents SET seen = json_remove(seen, '$.broughtBy')
    WHERE ${waiting} AND iif(json_valid(seen), seen ->> 'broughtBy', NULL) ${listed}`).run(theirs)
}
