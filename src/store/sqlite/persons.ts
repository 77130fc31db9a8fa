import { type Marks, marksOf, type Place } from '../../people/index-tags.ts'
import { isBlank, isOnList, nobody, type Person, subscribedAtOf } from '../../people/person.ts'
import { personIn, personText, unreadable } from '../../people/stored.ts'
import type { Keyed } from './bound-to-key.ts'
import type { Sql } from './connection.ts'
import { again, countedUpTo } from './count-check.ts'
import { addTo, type Counts, keepCounts } from './counters.ts'
import { eraseDeliveries } from './delivery-rows.ts'
import { type NoteEvents, noteEventsIn } from './event-rows.ts'
import { keptNoes } from './inbox-rows.ts'
import { ownCollection } from './own-collection.ts'

/** Somebody who is kept; their value may be one that cannot be read. */
export interface Kept {
  readonly n: number
  readonly addressId: string
  /** That of their record. */
  readonly number: number | undefined
  readonly person: Person
}

interface ChangeOptions {
  /** The number of the record that their sign-up was appended as: it is theirs if they have none. */
  readonly record?: number
  /** Their address, where it may not be kept. */
  readonly email?: string | undefined
  /** Whether other systems hear of it. */
  readonly isNews?: boolean
}

/** What a change did; nothing where somebody cannot be read, who is never written over. */
export interface Changed {
  readonly before: Person
  readonly after: Person
  /** The number of their record now. */
  readonly record?: number | undefined
}

export type Persons = ReturnType<typeof personsIn>

/**
 * The people in an open transaction. It knows no rule: what happens to somebody is in `src/people`.
 *
 * @param counts adds up what is counted, for `keepCounts` at the end of the transaction; left out, it is
 *   written with each change.
 */
export function personsIn(keyed: Keyed, counts?: Counts) {
  const { sql } = keyed
  let note: NoteEvents | undefined
  let noesThere: ReturnType<typeof keptNoes> | undefined
  const noes = () => (noesThere ??= keptNoes(sql))
  const put = writer(keyed, counts, noes)
  const get = (addressId: string) => keptBy(sql, 'id', addressId)

  return {
    ...keyed,
    get,
    /** Somebody by the number of their record. */
    numbered: (number: number) => keptBy(sql, 'number', number),
    /** Somebody by the number that everybody has. */
    nth: (n: number) => keptBy(sql, 'n', n),
    /** Somebody as they are; nobody where nothing is known, or nothing can be read. */
    of: (addressId: string): Person => knownOf(get(addressId)),

    /** Changes somebody by a pure function. */
    change(
      addressId: string,
      happens: (one: Person) => Person,
      options: ChangeOptions = {},
    ): Changed | undefined {
      const kept = get(addressId)
      if (kept?.person === unreadable) return undefined
      const before = knownOf(kept)
      const email = before.email ?? options.email
      // Who comes anew may have said no to a list that is lost.
      const known = isOnList(before) ? before : noes().with(before, email)
      const after = happens(known)
      const isSame = after === before
      const record = isSame ? kept?.number : put(kept, addressId, { before, after }, options)
      const changed = { before, after, record }
      if (options.isNews !== false) {
        note ??= noteEventsIn(keyed)
        note(addressId, changed, options)
      }
      return changed
    },

    /** Erases somebody, also where they cannot be read. */
    erase(addressId: string, email: string, forget: (one: Person) => Person): void {
      const kept = get(addressId)
      const before = knownOf(kept)
      if (kept?.person === unreadable)
        // Where they stood is not known.
        sql('DELETE FROM places WHERE n = ?').run(kept.n)
      put(kept, addressId, { before, after: forget(before) }, { email })
    },

    /** Those with a tag. */
    under: (tag: string): Kept[] =>
      sql(`
        SELECT persons.n, id, number, data FROM places JOIN persons USING (n) WHERE tag = ?`)
        .all(tag)
        .map(keptIn),
  }
}

function keptBy(sql: Sql, column: 'id' | 'number' | 'n', value: string | number) {
  const row = sql(`SELECT n, id, number, data FROM persons WHERE ${column} = ?`).get(value)
  return row && keptIn(row)
}

const knownOf = (kept: Kept | undefined): Person =>
  kept && kept.person !== unreadable ? kept.person : nobody

/** Writes somebody with their record, their places and what they count for. */
function writer(
  { sql, ids }: Keyed,
  counts: Counts | undefined,
  noes: () => ReturnType<typeof keptNoes>,
) {
  let counted: number | undefined

  function mark(n: number, before: Marks, after: Marks): void {
    move(sql, n, before.places, after.places)
    const changes: Counts = new Map()
    for (const name of before.counters) addTo(changes, name, -1)
    for (const name of after.counters) addTo(changes, name, 1)
    counted ??= countedUpTo(sql)
    if (n <= counted) keepCounts(sql, again(changes))
    if (!counts) keepCounts(sql, changes)
    else for (const [name, number] of changes) addTo(counts, name, number)
  }

  return (
    kept: Kept | undefined,
    addressId: string,
    change: Changed,
    options: ChangeOptions,
  ): number | undefined => {
    const { before, after } = change
    if (isBlank(after)) {
      if (kept) sql('DELETE FROM persons WHERE n = ?').run(kept.n)
      if (kept) mark(kept.n, marksOf(before, ids), none)
      return undefined
    }
    const number = recordOf(sql, kept?.number, change, options)
    const row = [number ?? null, personText(after)] as const
    if (kept) sql('UPDATE persons SET number = ?, data = ? WHERE n = ?').run(...row, kept.n)
    const put = sql('INSERT INTO persons (number, data, id) VALUES (?, ?, ?)')
    const n = kept?.n ?? Number(put.run(...row, addressId).lastInsertRowid)
    mark(n, kept ? marksOf(before, ids) : none, marksOf(after, ids))
    noes().note(after, after.email ?? before.email ?? options.email)
    return number
  }
}

export const keptIn = ({ n, id, number, data }: Record<string, unknown>): Kept => ({
  n: Number(n),
  addressId: String(id),
  number: number === null ? undefined : Number(number),
  person: personIn(data),
})

/** Writes the specification's record of somebody on the list. @returns its number. */
function recordOf(
  sql: Sql,
  number: number | undefined,
  { before, after }: Changed,
  { record: appended }: ChangeOptions,
): number | undefined {
  if (!isOnList(after)) {
    if (number !== undefined) {
      sql('DELETE FROM documents WHERE id = ?').run(number)
      eraseDeliveries(sql, number)
    }
    return undefined
  }
  const [at, was] = [subscribedAtOf(after), subscribedAtOf(before)]
  if (number !== undefined && after.email === before.email && Number(at) === Number(was))
    return number
  const data = JSON.stringify({ email: after.email, subscribedAt: at })
  const theirs = number ?? appended
  if (theirs === undefined)
    return Number(
      sql(`INSERT INTO documents (collection, data) VALUES (${ownCollection}, ?)`).run(data)
        .lastInsertRowid,
    )
  sql("UPDATE documents SET data = ?, waits = NULL, seen = NULL, addressId = '' WHERE id = ?").run(
    ...[data, theirs],
  )
  return theirs
}

function move(sql: Sql, n: number, before: readonly Place[], after: readonly Place[]): void {
  const isIn = (places: readonly Place[], { tag, at }: Place) =>
    places.some((one) => one.tag === tag && one.at === at)
  for (const one of before)
    if (!isIn(after, one))
      sql('DELETE FROM places WHERE tag = ? AND at = ? AND n = ?').run(one.tag, one.at, n)
  for (const one of after)
    if (!isIn(before, one))
      sql('REPLACE INTO places (tag, at, n) VALUES (?, ?, ?)').run(one.tag, one.at, n)
}

const none: Marks = { places: [], counters: [] }
