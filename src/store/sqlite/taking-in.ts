import type { AddressIds } from '../../keys/address-id.ts'
import { afterNoes, afterYeses, sayNo, signUp } from '../../people/changes.ts'
import { withFields } from '../../people/extra.ts'
import { beyondDoubt, mayBeAsked } from '../../people/late.ts'
import {
  hasConsent,
  isBroughtBy,
  isOnList,
  type Person,
  whyNotMailed,
} from '../../people/person.ts'
import { ask } from '../../people/requests.ts'
import { type Entry, entryIn } from '../arrival.ts'
import { lines, setAside } from './arrivals.ts'
import type { Sql } from './connection.ts'
import { type Counts, keepCounts } from './counters.ts'
import { wasWrittenTo } from './delivery-rows.ts'
import { inRecord } from './own-collection.ts'
import { type Persons, personsIn } from './persons.ts'

/* Takes in what waits: who left it is changed, and the entry marked, in one transaction. */

export type Row = Readonly<Record<string, unknown>>

/** In SQL: those that wait, and are not set aside. */
export const inLine = `waits IN (${lines.join()})`

/** @param isOver whether the rest is left for later, since visitors wait for the end. @returns how many. */
export function takeInRows(
  sql: Sql,
  ids: AddressIds,
  rows: readonly Row[],
  isOver = () => false,
): number {
  if (rows.length === 0) return 0
  const counts: Counts = new Map()
  const persons = personsIn(sql, ids, counts)
  let taken = 0
  for (const row of rows) {
    takeInRow(sql, ids, persons, row)
    taken += 1
    if (isOver()) break
  }
  keepCounts(sql, counts)
  return taken
}

function takeInRow(sql: Sql, ids: AddressIds, persons: Persons, row: Row): void {
  const [id, entry] = [Number(row.id), entryIn(row, ids)]
  const changed =
    entry &&
    persons.change(entry.addressId, happens(sql, entry), {
      // A late one came on the list after those whose numbers are higher.
      ...(entry.to === 'subscribers' && !entry.isLate && { record: id }),
      email: entry.email,
    })
  // Nobody who cannot be read is written over, and nothing that a visitor was thanked for goes.
  if (!changed) setAside(sql, id)
  // A repeat: the record of somebody who is new waits no more.
  else sql('DELETE FROM documents WHERE id = ? AND waits IS NOT NULL').run(id)
}

/** What an entry makes of who left it. */
export function happens(sql: Sql, entry: Entry): (one: Person) => Person {
  const { to, at, addressId, isLate } = entry
  // A no takes in what came before it, so each no was said before this, by any clock.
  const after = (one: Person) => (isLate ? at : afterNoes(one, at))
  const lifts = (one: Person) => (isLate ? beyondDoubt(at) : after(one))
  if (to === 'departures')
    return (one) => sayNo(one, 'unsubscribed', { at: isLate ? at : afterYeses(one, at) })
  if (to === 'confirmationRequests')
    return (one) =>
      isLate && !mayBeAsked(at, whyNotMailed(one))
        ? one
        : ask(one, entry.email, entry.said, after(one), at)
  if (to === 'subscribers') {
    const { email, said } = entry
    return (one) => signUp(one, { ...said, email, at, lifts: lifts(one) })
  }
  const { answer, key } = entry.said
  const isTheirs = (one: Person) => {
    if (entry.email === undefined) return hasConsent(one) || wasWrittenTo(sql, addressId)
    return isOnList(one) && (key === undefined || isBroughtBy(one, key))
  }
  // One that is known may be newer than one that comes late.
  const isNew = ({ fields }: Person) => !isLate || fields.answer === undefined
  return (one) =>
    isTheirs(one) && isNew(one) ? { ...one, fields: withFields(one.fields, { answer }) } : one
}

/**
 * First takes in what waits of these, in the transaction of what is said of them now: so the order is
 * that in which it was said.
 */
export function takeInOf(sql: Sql, ids: AddressIds, emails: readonly string[]): void {
  if (emails.length === 0 || !isAnyInLine(sql)) return
  const rows = sql(`
    SELECT * FROM documents
    WHERE ${inLine} AND ${inRecord('email')} IN (SELECT value FROM json_each(?)) ORDER BY id`)
  takeInRows(sql, ids, rows.all(JSON.stringify(emails)))
}

const PAGE = 1000

/** Takes in all that waits, in the open transaction. */
export function takeInAll(sql: Sql, ids: AddressIds): void {
  // The index has no order by number.
  const page = sql(`SELECT * FROM documents WHERE id > ? AND +${inLine} ORDER BY id LIMIT ${PAGE}`)
  for (let rows = page.all(0); rows.length > 0; rows = page.all(Number(rows.at(-1)?.id)))
    takeInRows(sql, ids, rows)
}

/** Of those whose address is not known, only so many are looked at, since each look hashes an address. */
const MOST_HASHED = 5000

/** The same of people by the ids of their addresses. @returns those of whom more may wait. */
export function takeInById(sql: Sql, ids: AddressIds, addressIds: readonly string[]): string[] {
  if (!isAnyInLine(sql)) return []
  const persons = personsIn(sql, ids)
  const known = addressIds.map((id) => persons.of(id).email)
  const unknown = new Set(addressIds.filter((_, i) => known[i] === undefined))
  const last = sql(`
    SELECT ${inRecord('email')} AS email FROM documents WHERE ${inLine} ORDER BY id DESC LIMIT ?`)
  const rows = unknown.size > 0 ? last.all(MOST_HASHED) : []
  const found = rows.map(({ email }) => String(email)).filter((email) => unknown.has(ids.of(email)))
  takeInOf(sql, ids, [...known.filter((email) => email !== undefined), ...found])
  return rows.length < MOST_HASHED ? [] : [...unknown]
}

export const isAnyInLine = (sql: Sql): boolean =>
  sql(`SELECT 1 FROM documents WHERE ${inLine} LIMIT 1`).get() !== undefined
