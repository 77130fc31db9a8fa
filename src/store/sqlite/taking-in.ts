import { randomUUID } from 'node:crypto'
import { afterNoes, afterSignUps, signUp } from '../../people/changes.ts'
import { withReply } from '../../people/known-fields.ts'
import { beyondDoubt, mayBeAsked } from '../../people/late-entries.ts'
import {
  hasConsent,
  isErased,
  isOfSignUp,
  isOnList,
  type Person,
  whyNotMailed,
} from '../../people/person.ts'
import { ask } from '../../people/requests.ts'
import { type Entry, entryIn, signUpArrival } from '../arrival.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import { append, lastIn, lines, type Row, setAside, waitingOf } from './arrivals.ts'
import type { Keyed } from './bound-to-key.ts'
import { inPart, type Sql } from './connection.ts'
import { type Counts, keepCounts } from './counters.ts'
import { wasWrittenTo } from './delivery-rows.ts'
import { eraseElsewhere } from './inbox-rows.ts'
import { inOrder } from './paged-rows.ts'
import { type Persons, personsIn } from './persons.ts'

/* Takes in what waits: who left it is changed, and the entry marked, in one transaction. */

/** In SQL: those that wait, and are not set aside. */
export const inLine = `waits IN (${lines.join()})`

/** @param isOver whether the rest is left for later, since visitors wait for the end. @returns how many. */
export function takeInRows(keyed: Keyed, rows: readonly Row[], isOver = () => false): number {
  if (rows.length === 0) return 0
  const counts: Counts = new Map()
  const persons = personsIn(keyed, counts)
  let taken = 0
  for (const row of rows) {
    takeInRow(persons, row)
    taken += 1
    if (isOver()) break
  }
  keepCounts(keyed.sql, counts)
  return taken
}

function takeInRow(persons: Persons, row: Row): void {
  const { sql, ids } = persons
  const id = Number(row.id)
  // It was hashed as it was appended, unless it came under another key.
  const entry = entryIn(row, (email) => String(row.addressId || ids.of(email)))
  const changed =
    entry &&
    persons.change(entry.addressId, happens(sql, entry), {
      // A late one came on the list after those whose numbers are higher.
      ...(entry.to === 'subscribers' && !entry.isLate && { record: id }),
      email: entry.email,
    })
  // It came late, or the list that had to erase them at Google is lost.
  const { forgottenAt } = changed?.after ?? {}
  if (changed && forgottenAt && isErased(changed.after) && entry.email !== undefined)
    eraseElsewhere(persons, entry.email, forgottenAt)
  // Nobody who cannot be read is written over, and nothing that a visitor was thanked for goes.
  if (!changed) setAside(sql, id)
  // A repeat goes. The entry of somebody new stays, as their record.
  else if (changed.record !== id) sql('DELETE FROM documents WHERE id = ?').run(id)
}

/** Takes one in, or changes nothing. @returns why it was not. @throws in an outage */
export const tryRow = (keyed: Keyed, row: Row): Error | undefined =>
  inPart(keyed.sql, () => takeInRows(keyed, [row]))

/** What an entry makes of who left it. */
export function happens(sql: Sql, entry: Entry): (one: Person) => Person {
  const { to, at, addressId, isLate } = entry
  // A no takes in what came before it, so each no was said before this, by any clock.
  const after = (one: Person) => (isLate ? at : afterNoes(one, at))
  const times = (one: Person) =>
    isLate ? { at, lifts: beyondDoubt(at) } : { at: afterSignUps(one, at), lifts: after(one) }
  if (to === 'confirmationRequests')
    return (one) =>
      isLate && !mayBeAsked(at, whyNotMailed(one))
        ? one
        : ask(one, entry.email, entry.said, after(one), at)
  if (to === 'subscribers') {
    const { email, said } = entry
    return (one) => signUp(one, { ...said, email, ...times(one) })
  }
  const { answer, key } = entry.said
  const isTheirs = (one: Person) => {
    if (entry.email === undefined) return hasConsent(one) || wasWrittenTo(sql, addressId)
    return isOnList(one) && (key === undefined || isOfSignUp(one, key))
  }
  const reply = ({ fields }: Person) => withReply(fields, answer, at, isLate)
  return (one) => (isTheirs(one) ? { ...one, fields: reply(one) } : one)
}

/**
 * First takes in what waits of these, in the transaction of what is said of them now: so the order is that
 * in which it was said. Of what was found elsewhere, its own time decides.
 */
export function takeInOf(keyed: Keyed, addressIds: readonly string[]): void {
  // One that cannot be taken in keeps nothing else from the transaction.
  for (const row of waitingOf(keyed.sql, addressIds))
    if (tryRow(keyed, row)) setAside(keyed.sql, Number(row.id))
}

const PAGE = 1000

/** Takes in all that waits, in the open transaction. @throws StoreUnavailable where the fault is the list's */
export function takeInAllHere(keyed: Keyed): void {
  const { sql } = keyed
  // The index has no order by number.
  const page = sql(`SELECT * FROM documents WHERE id > ? AND +${inLine} ORDER BY id LIMIT ${PAGE}`)
  for (const row of inOrder((last) => page.all(Number(last)))) {
    const cause = tryRow(keyed, row)
    if (cause && isFaulty(keyed))
      throw new StoreUnavailable('Sign-ups cannot be taken in.', { cause })
    if (cause) setAside(sql, Number(row.id))
  }
}

export const isAnyInLine = (sql: Sql): boolean =>
  sql(`SELECT 1 FROM documents WHERE ${inLine} LIMIT 1`).get() !== undefined

/** Whether not even somebody made up could be taken in: then the fault is the list's, and of no entry. */
export function isFaulty(keyed: Keyed): boolean {
  const { sql } = keyed
  const undone = new Error('Nobody is kept.')
  const fault = inPart(sql, () => {
    append(keyed, [signUpArrival(`${randomUUID()}@example.com`, {})])
    takeInRows(keyed, sql('SELECT * FROM documents WHERE id = ?').all(lastIn(sql)))
    throw undone
  })
  return fault !== undone
}
