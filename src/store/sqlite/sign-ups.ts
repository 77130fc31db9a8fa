import type { AddressIds } from '../../keys/address-id.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { cleanDetail } from '../standing.ts'
import type { Store } from '../store.ts'
import type { SignUpNotes, SignUps } from '../subscriber-store.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { watching } from './event-rows.ts'
import { groupCommit, type OnCommit } from './group-commit.ts'
import { countingNew } from './growth.ts'
import { originOf, pageTime } from './imported.ts'
import { keepFirstLanguages } from './languages.ts'
import type { GrowthWatch } from './milestones.ts'
import { ownCollection } from './own-collection.ts'
import { quarantine, suspectsAmong } from './quarantine.ts'
import { keepFirstSources } from './sources.ts'
import { liftOnSignUp } from './standing-rows.ts'

/** Commits sign-ups; those that arrive together share a transaction. */
export function sqliteSignUps(
  database: SqliteDatabase,
  addressIds: AddressIds,
  watch: GrowthWatch,
  onCommit?: OnCommit,
): SignUps & Pick<Store, 'checkWritable' | 'close'> {
  const signUps = groupCommit<SignUp[]>(
    async (group) => {
      const seen = await database.writeForVisitor((sql) => {
        const { now, robots } = addAll(sql, group.flat(), addressIds)
        return watch.look(sql, now, robots)
      })
      watch.kept(seen)
    },
    onCommit && ((group, seconds) => onCommit(group.flat().length, seconds)),
  )

  return {
    add: (email, notes) =>
      signUps.add(
        isProbeAddress(email)
          ? []
          : [{ ...notes, email, suspicion: cleanDetail(notes?.suspicion) }],
      ),

    // An empty group is written and synced too, so it fails whenever a sign-up would.
    checkWritable: () => signUps.add([]),

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

/** Number of ids in a millisecond; a busier one uses those of the next. */
const IDS_PER_MS = 1024

/**
 * Ids follow the clock, so that new rows lie side by side, but never go back with it. A known
 * address is written again unchanged, so that it takes the time of a new one: decision 056. One that
 * came by an import is noted to have signed up at the page: decision 200.
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

/** @returns the time, and how many of them are new and quarantined. */
function addAll(
  sql: Sql,
  signUps: readonly SignUp[],
  addressIds: AddressIds,
): { readonly now: Date; readonly robots: number } {
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
  const countNew = countingNew(sql, now)
  sql(insert).run({ emails: JSON.stringify(emails), firstId, subscribedAt })
  countNew()
  // The keyed hash costs as much as all the rest, so it is computed for the whole group or not at
  // all.
  if (sql('SELECT 1 FROM standings LIMIT 1').get())
    sql(liftOnSignUp).run({
      addressIds: JSON.stringify(ordinary.map(({ email }) => addressIds.of(email))),
      at: subscribedAt,
    })
  quarantine(sql, addressIds, suspects, now)
  noteEvents()
  // Without this write, a group of known addresses would need no sync and be faster.
  sql('UPDATE groupCommits SET number = number + 1').run()
  const robots = new Set(suspects.flatMap(({ email, signedUp }) => (signedUp ? [] : [email]))).size
  return { now, robots }
}
