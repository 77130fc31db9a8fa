import type { AddressIds } from '../../keys/address-id.ts'
import { afterNoes, signUp } from '../../people/changes.ts'
import { isOnList, standingOf, subscribedAtOf } from '../../people/person.ts'
import { cleanDetail } from '../../people/standing.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import type { Store } from '../store.ts'
import type { SignUpNotes, SignUps } from '../subscriber-store.ts'
import { takeInRecords } from './bound.ts'
import { isBoundTo } from './bound-key.ts'
import type { Sql } from './connection.ts'
import { type Counts, keepCounts } from './counters.ts'
import type { SqliteDatabase } from './database.ts'
import { originOf } from './list.ts'
import { countNote } from './notes.ts'
import { inRecord, ownCollection } from './own-collection.ts'
import { personsIn } from './persons.ts'

interface SignUp extends SignUpNotes {
  readonly email: string
  readonly suspicion: string | undefined
}

/** Commits sign-ups; those that arrive together share a transaction. */
export function sqliteSignUps(
  database: SqliteDatabase,
  addressIds: AddressIds,
): SignUps & Pick<Store, 'checkWritable'> {
  const add = database.together<SignUp[], Added>((group) =>
    database.write((sql) => addAll(sql, group.flat(), addressIds)),
  )

  return {
    async add(email, notes) {
      const signUp = { ...notes, email, suspicion: cleanDetail(notes?.suspicion) }
      const { now, bringing } = await add(isProbeAddress(email) ? [] : [signUp])
      return bringing.has(signUp) ? now : undefined
    },

    // An empty group is written and synced too, so it fails whenever a sign-up would.
    async checkWritable() {
      await add([])
    },

    find: (email) =>
      database.read((sql) => {
        const one = personsIn(sql, addressIds).of(addressIds.of(email))
        const subscribedAt = subscribedAtOf(one) ?? waitingSince(sql, email)
        return subscribedAt && { email, subscribedAt, ...originOf(one) }
      }),

    async count() {
      const row = await database.read((sql) => sql('SELECT count(*) AS n FROM documents').get())
      return Number(row?.n)
    },
  }
}

interface Added {
  readonly now: Date
  /** Those of visitors who are asked that brought somebody, as `add` has it. */
  readonly bringing: ReadonlySet<SignUp>
}

function addAll(sql: Sql, signUps: readonly SignUp[], addressIds: AddressIds): Added {
  // The time is read under the write lock, so that a sign-up after a cut-off has a later time.
  const now = new Date()
  const bringing = new Set<SignUp>()
  // Without this write, a group of known addresses would need no sync and be faster.
  countNote(sql, 'commits')
  if (!isBoundTo(sql, addressIds.fingerprint)) {
    for (const { email } of signUps) keepRecord(sql, email, now)
    return { now, bringing }
  }
  takeInRecords(sql, addressIds)
  const counts: Counts = new Map()
  const persons = personsIn(sql, addressIds, counts)
  // A robot that types an address of the same group takes nothing from its owner.
  const owners = new Set(signUps.flatMap(({ email, suspicion }) => (suspicion ? [] : email)))
  for (const said of signUps) {
    const { email, suspicion, source, fields, isAsked } = said
    if (suspicion !== undefined && owners.has(email)) continue
    const changed = persons.change(
      addressIds.of(email),
      (one) =>
        signUp(one, { email, suspicion, source, fields, at: now, lifts: afterNoes(one, now) }),
      { isAlike: true },
    )
    if (!changed || suspicion !== undefined || !isAsked) continue
    const { before } = changed
    if (!isOnList(before) || standingOf(before) === 'quarantined') bringing.add(said)
  }
  keepCounts(sql, counts)
  return { now, bringing }
}

/** Under another key nobody can be found by their id: the record waits until the file has its own. */
function keepRecord(sql: Sql, email: string, now: Date) {
  sql(`
    INSERT INTO documents (collection, data, waits)
    VALUES (${ownCollection}, json_object('email', ?, 'subscribedAt', ?), 1)`).run(
    email,
    now.toISOString(),
  )
}

function waitingSince(sql: Sql, email: string): Date | undefined {
  const row = sql(`
    SELECT ${inRecord('subscribedAt')} AS at FROM documents WHERE waits AND ${inRecord('email')} = ?
    LIMIT 1`).get(email)
  return row && new Date(String(row.at))
}
