import { randomBytes } from 'node:crypto'
import type { AddressIds } from '../../keys/address-id.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { withStillInterested } from '../known-fields.ts'
import { cleanDetail, type Forgotten, type Standings } from '../standing.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { eraseTraces } from './erase-traces.ts'
import { noteErased, watching } from './event-rows.ts'
import { groupCommit } from './group-commit.ts'
import { eraseElsewhere, noteKey, timeOfNo } from './inbox-rows.ts'
import { eraseReferralsBy, extraOf, setExtra } from './known.ts'
import { entryOf, hear, put, signUpOf, writeBound } from './standing-rows.ts'

/** @returns the standings, and a function that waits for the presses of visitors under way. */
export function sqliteStandings(
  database: SqliteDatabase,
  addressIds: AddressIds,
): { standings: Standings; closeStandings: () => Promise<void> } {
  // Anybody can request one link thousands of times, and a sync for each would stall all visitors.
  const unsubscribes = groupCommit<string>((group) =>
    writeBound(database, addressIds, (sql) => {
      const ids = new Set(group)
      const noteEvents = watching(
        sql,
        addressIds,
        [...ids].map((addressId) => ({ addressId })),
      )
      const now = Number(timeOfNo(sql))
      for (const addressId of ids) {
        // Never earlier than the known time, even if the clock was set back.
        const at = new Date(Math.max(now, Number(entryOf(sql, addressId)?.at ?? 0)))
        const email = letterTo(sql, addressId)
        if (email !== undefined) noteKey(sql, addressIds, email)
        hear(
          sql,
          addressId,
          { standing: 'unsubscribed', at },
          undefined,
          wasWrittenTo(sql, addressId),
        )
      }
      noteEvents()
    }),
  )

  const answers = groupCommit<string>((group) =>
    writeBound(database, addressIds, (sql) => {
      const at = new Date()
      for (const addressId of new Set(group))
        if (wasWrittenTo(sql, addressId))
          setExtra(sql, addressId, withStillInterested(extraOf(sql, addressId), at))
    }),
  )

  const standings: Standings = {
    unsubscribe: (addressId) => unsubscribes.add(addressId),
    stayInterested: (addressId) => answers.add(addressId),

    set: (heard) =>
      writeBound(database, addressIds, (sql) => {
        const now = timeOfNo(sql)
        const noteEvents = watching(sql, addressIds, heard)
        const stands = heard.map(({ email, standing, at = now, detail }) => {
          if (isProbeAddress(email)) return false
          const entry = { standing, at, detail: cleanDetail(detail) }
          const signUp = signUpOf(sql, email)
          noteKey(sql, addressIds, email)
          return hear(sql, addressIds.of(email), entry, signUp, signUp !== undefined) === standing
        })
        noteEvents()
        return stands
      }),

    async forget(email) {
      const forgotten = await writeBound(database, addressIds, (sql) =>
        erase(sql, addressIds, email),
      )
      await eraseTraces(database, [email])
      return forgotten
    },

    async forgetAll(emails) {
      await writeBound(database, addressIds, (sql) => {
        for (const email of emails) erase(sql, addressIds, email)
      })
      await eraseTraces(database, emails)
    },

    async of(email) {
      const entry = await database.read((sql) => entryOf(sql, addressIds.of(email)))
      return entry?.standing === 'subscribed' ? undefined : entry
    },
  }
  return {
    standings,
    async closeStandings() {
      await Promise.all([unsubscribes.close(), answers.close()])
    },
  }
}

/** The address that a letter went to, which its link names by an id alone. */
function letterTo(sql: Sql, addressId: string): string | undefined {
  const row = sql(`
    SELECT email FROM deliveries WHERE addressId = ? AND email IS NOT NULL LIMIT 1`).get(addressId)
  return row && String(row.email)
}

/** Whether the address of a letter is on the list; unknown for an address without letters. */
export function wasWrittenTo(sql: Sql, addressId: string): boolean | undefined {
  const row = sql(`
    SELECT EXISTS (SELECT 1 FROM documents WHERE data ->> 'email' = email) AS isListed
    FROM deliveries WHERE addressId = ? AND email IS NOT NULL LIMIT 1`).get(addressId)
  return row && row.isListed === 1
}

/**
 * Erases an address: a mark that it was forgotten stays, and its deliveries without the address.
 *
 * @param at when it was forgotten.
 */
export function erase(
  sql: Sql,
  addressIds: AddressIds,
  email: string,
  at = timeOfNo(sql),
): Forgotten {
  const addressId = addressIds.of(email)
  put(sql, addressId, { standing: 'forgotten', at })
  noteKey(sql, addressIds, email)
  eraseElsewhere(sql, addressIds, email, at)
  sql('DELETE FROM extras WHERE addressId = ?').run(addressId)
  sql('DELETE FROM sources WHERE addressId = ?').run(addressId)
  sql('DELETE FROM refusals WHERE addressId = ?').run(addressId)
  const { changes: requests } = sql('DELETE FROM pending WHERE addressId = ?').run(addressId)
  sql('DELETE FROM outbox WHERE email = ?').run(email)
  sql('DELETE FROM inboxWaiting WHERE email = ?').run(email)
  eraseReferralsBy(sql, addressId)
  const { changes: subscribers } = sql(`DELETE FROM documents WHERE data ->> 'email' = ?`).run(
    email,
  )
  const rows = sql(`SELECT rowid AS id FROM deliveries WHERE addressId = ?`).all(addressId)
  for (const { id } of rows)
    sql(`
      UPDATE deliveries SET addressId = ?, email = NULL, status = 'forgotten', owner = NULL,
        answer = NULL, standing = NULL, language = NULL, changedAt = ? WHERE rowid = ?`).run(
      randomBytes(16).toString('base64url'),
      new Date().toISOString(),
      String(id),
    )
  noteErased(sql, addressIds, addressId)
  return { wasSubscriber: subscribers > 0, wasAsked: requests > 0, deliveries: rows.length }
}
