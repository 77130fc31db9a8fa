import type { AddressIds } from '../../keys/address-id.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { cleanDetail } from '../standing.ts'
import type { Store } from '../store.ts'
import type { SignUpNotes, SignUps } from '../subscriber-store.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { watching } from './event-rows.ts'
import { groupCommit } from './group-commit.ts'
import { countingNew } from './growth.ts'
import { originOf, pageTime } from './imported.ts'
import type { GrowthWatch } from './milestones.ts'
import { ownCollection } from './own-collection.ts'
import { quarantine, suspectsAmong } from './quarantine.ts'
import { keepFirstLanguages, keepFirstSources } from './sources.ts'
import { liftOnSignUp } from './standing-rows.ts'

/** Commits sign-ups; those that arrive together share a transaction. */
export function sqliteSignUps(
  database: SqliteDatabase,
  addressIds: AddressIds,
  watch: GrowthWatch,
): SignUps & Pick<Store, 'checkWritable' | 'close'> {
  const signUps = groupCommit<SignUp[], Added>(async (group) => {
    const { added, seen } = await database.write((sql) => {
      const added = addAll(sql, group.flat(), addressIds)
      return { added, seen: watch.look(sql, added.now, added.robots) }
    })
    watch.kept(seen)
    return added
  })

  return {
    async add(email, notes) {
      const signUp = { ...notes, email, suspicion: cleanDetail(notes?.suspicion) }
      const { now, bringing } = await signUps.add(isProbeAddress(email) ? [] : [signUp])
      return bringing.has(signUp) ? now : undefined
    },

    // An empty group is written and synced too, so it fails whenever a sign-up would.
    async checkWritable() {
      await signUps.add([])
    },

    async find(email) {
      const row = await database.read((sql) =>
        sql(`
          SELECT data ->> 'subscribedAt' AS at, ${pageTime} AS page FROM documents
          WHERE data ->> 'email' = ?`).get(email),
      )
      return row && { email, subscribedAt: new Date(String(row.at)), ...originOf(row.page) }
    },

    async count() {
      const row = await database.read((sql) => sql('SELECT count(*) AS n FROM documents').get())
      return Number(row?.n)
    },

    close: signUps.close,
  }
}

interface SignUp extends SignUpNotes {
  readonly email: string
  readonly suspicion: string | undefined
}

interface Added {
  readonly now: Date
  /** How many of them are new and quarantined. */
  readonly robots: number
  /** Those of visitors who are asked that brought somebody, as `add` has it. */
  readonly bringing: ReadonlySet<SignUp>
}

/** Number of ids in a millisecond; a busier one uses those of the next. */
const IDS_PER_MS = 1024

/**
 * Ids follow the clock, so that new rows lie side by side, but never go back with it. A known
 * address is written again unchanged, so that the time of an answer does not tell who is on the list.
 * One that came by an import is noted to have signed up at the page, and counts for that day.
 */
const insert = `
  INSERT INTO documents (id, collection, data)
  SELECT
    max(:firstId, (SELECT coalesce(max(id), 0) + 1 FROM documents)) + key,
    ${ownCollection},
    json_object('email', value, 'subscribedAt', :subscribedAt)
  FROM json_each(:emails) WHERE true
  ON CONFLICT (data ->> 'email') DO UPDATE SET data = data,
    signedUpAt = iif(signedUpAt = '', :subscribedAt, signedUpAt)`

function addAll(sql: Sql, signUps: readonly SignUp[], addressIds: AddressIds): Added {
  const emails = signUps.map(({ email }) => email)
  const ordinary = signUps.filter(({ suspicion }) => suspicion === undefined)
  const suspects = suspectsAmong(sql, signUps, ordinary)
  // The time is read under the write lock, so that a sign-up after a cut-off has a later time.
  const now = new Date()
  const subscribedAt = now.toISOString()
  // Before they are on the list, since subscribers keep their sources. Quarantined ones have none.
  keepFirstSources(sql, ordinary, now, addressIds)
  keepFirstLanguages(sql, ordinary, addressIds)
  const firstId = now.getTime() * IDS_PER_MS
  const noteEvents = watching(sql, addressIds, signUps, true)
  // The keyed hash costs as much as all the rest, so it is computed for the whole group or not at
  // all.
  const isAnyKnown = sql('SELECT 1 FROM standings LIMIT 1').get() !== undefined
  const ids = isAnyKnown ? ordinary.map(({ email }) => addressIds.of(email)) : []
  const bringing = bringingOf(sql, ordinary, ids)
  const countNew = countingNew(sql, now)
  sql(insert).run({ emails: JSON.stringify(emails), firstId, subscribedAt })
  countNew()
  if (isAnyKnown) sql(liftOnSignUp).run({ addressIds: JSON.stringify(ids), at: subscribedAt })
  quarantine(sql, addressIds, suspects, now)
  noteEvents()
  // Without this write, a group of known addresses would need no sync and be faster.
  sql('UPDATE commits SET number = number + 1').run()
  const robots = new Set(suspects.flatMap(({ email, signedUp }) => (signedUp ? [] : [email]))).size
  return { now, robots, bringing }
}

/**
 * The first sign-up of each address that is not on the list yet, or is quarantined there. Looked up
 * where the page asks a question, and at the same cost for known and new addresses.
 *
 * @param ids their address ids, in order; none where nothing is known beyond the list.
 */
function bringingOf(
  sql: Sql,
  ordinary: readonly SignUp[],
  ids: readonly string[],
): ReadonlySet<SignUp> {
  if (!ordinary.some(({ isAsked }) => isAsked)) return new Set()
  const listed = sql(`
    SELECT data ->> 'email' AS found FROM documents
    WHERE data ->> 'email' IN (SELECT value FROM json_each(?))`)
  const held = sql(`
    SELECT addressId AS found FROM standings
    WHERE standing = 'quarantined' AND addressId IN (SELECT value FROM json_each(?))`)
  const foundIn = (query: typeof listed, keys: readonly string[]) =>
    new Set(query.all(JSON.stringify(keys)).map(({ found }) => String(found)))
  const onList = foundIn(
    listed,
    ordinary.map(({ email }) => email),
  )
  const quarantined = foundIn(held, ids)
  const bringing = new Map<string, SignUp>()
  for (const [i, one] of ordinary.entries()) {
    const isBrought = !onList.has(one.email) || quarantined.has(ids[i] ?? '')
    if (isBrought && !bringing.has(one.email)) bringing.set(one.email, one)
  }
  return new Set(bringing.values())
}
