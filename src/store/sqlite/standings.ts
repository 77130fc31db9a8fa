import { randomBytes } from 'node:crypto'
import type { AddressIds } from '../../keys/address-id.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import {
  standings as allStandings,
  cleanDetail,
  type Forgotten,
  isLiftedBySignUp,
  outranks,
  type Standing,
  type StandingEntry,
  type Standings,
} from '../standing.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { eraseTraces } from './erase-traces.ts'
import { groupCommit } from './group-commit.ts'

/** @returns the standings, and a function that waits for the unsubscribes under way. */
export function sqliteStandings(
  database: SqliteDatabase,
  addressIds: AddressIds,
): { standings: Standings; closeStandings: () => Promise<void> } {
  // Anybody can request one link thousands of times, and a sync for each would stall all visitors.
  const unsubscribes = groupCommit<string>((group) =>
    writeBound({ write: database.writeForVisitor }, addressIds, (sql) => {
      for (const addressId of new Set(group)) {
        // Never earlier than the known time, even if the clock was set back.
        const at = new Date(Math.max(Date.now(), Number(entryOf(sql, addressId)?.at ?? 0)))
        hear(
          sql,
          addressId,
          { standing: 'unsubscribed', at },
          undefined,
          wasWrittenTo(sql, addressId),
        )
      }
    }),
  )

  const standings: Standings = {
    unsubscribe: (addressId) => unsubscribes.add(addressId),

    set: (heard) =>
      writeBound(database, addressIds, (sql) => {
        const now = new Date()
        return heard.map(({ email, standing, at = now, detail }) => {
          if (isProbeAddress(email)) return false
          const entry = { standing, at, detail: cleanDetail(detail) }
          const signUp = signUpOf(sql, email)
          return hear(sql, addressIds.of(email), entry, signUp, signUp !== undefined) === standing
        })
      }),

    async forget(email) {
      const forgotten = await writeBound(database, addressIds, (sql) =>
        erase(sql, addressIds.of(email), email),
      )
      await eraseTraces(database, [email])
      return forgotten
    },

    async forgetAll(emails) {
      await writeBound(database, addressIds, (sql) => {
        for (const email of emails) erase(sql, addressIds.of(email), email)
      })
      await eraseTraces(database, emails)
    },

    async of(email) {
      const entry = await database.read((sql) => entryOf(sql, addressIds.of(email)))
      return entry?.standing === 'subscribed' ? undefined : entry
    },
  }
  return { standings, closeStandings: unsubscribes.close }
}

/**
 * Stores a standing of an address if it outranks the known one. If a later sign-up outranks it,
 * that sign-up's time is stored in a row `subscribed`. Without that row, an import could give the
 * subscriber an earlier time, and the same departure, heard again, would then outrank the sign-up.
 *
 * @param signedUp when, for a subscriber. @param isListed whether it is on the list, if that is known.
 * @returns the standing of the address then.
 */
export function hear(
  sql: Sql,
  addressId: string,
  heard: StandingEntry,
  signedUp?: Date | undefined,
  isListed?: boolean,
): Standing {
  const row = entryOf(sql, addressId)
  const known = row ?? (signedUp && { standing: 'subscribed', at: signedUp })
  const stays = known !== undefined && !outranks(heard, known)
  if (!stays || !row) put(sql, addressId, stays ? known : heard, isListed)
  return stays ? known.standing : heard.standing
}

/** @param isListed whether the address is on the list; `undefined` changes nothing. */
export function put(
  sql: Sql,
  addressId: string,
  { standing, at, detail }: StandingEntry,
  isListed?: boolean,
) {
  sql(`
    INSERT INTO standings (addressId, standing, at, detail, listed) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET standing = excluded.standing, at = excluded.at,
      detail = excluded.detail, listed = coalesce(excluded.listed, listed)`).run(
    ...[addressId, standing, at.toISOString(), detail ?? null],
    isListed === undefined ? null : Number(isListed),
  )
}

/** Whether the address of a letter is on the list; unknown for an address without letters. */
function wasWrittenTo(sql: Sql, addressId: string): boolean | undefined {
  const row = sql(`
    SELECT EXISTS (SELECT 1 FROM documents WHERE data ->> 'email' = email) AS isListed
    FROM deliveries WHERE addressId = ? AND email IS NOT NULL LIMIT 1`).get(addressId)
  return row && row.isListed === 1
}

/** The row of an address. It says `subscribed` after a sign-up has lifted an earlier standing. */
export function entryOf(sql: Sql, addressId: string): StandingEntry | undefined {
  const row = sql('SELECT standing, at, detail FROM standings WHERE addressId = ?').get(addressId)
  return (
    row && {
      standing: row.standing as Standing,
      at: new Date(String(row.at)),
      ...(row.detail !== null && { detail: String(row.detail) }),
    }
  )
}

export function signUpOf(sql: Sql, email: string): Date | undefined {
  const row = sql(`
    SELECT data ->> 'subscribedAt' AS at FROM documents WHERE data ->> 'email' = ?`).get(email)
  return row && new Date(String(row.at))
}

const lifted = allStandings.filter(isLiftedBySignUp)

const isLifted = `standing IN (${lifted.map((standing) => `'${standing}'`).join(', ')})`

/**
 * Lifts the standings that a sign-up lifts, and notes that the others are on the list now.
 * `:addressIds` is a JSON array, `:at` the time of the sign-up.
 */
export const liftOnSignUp = `
  UPDATE standings SET listed = 1, standing = iif(${isLifted}, 'subscribed', standing),
    at = iif(${isLifted}, :at, at), detail = iif(${isLifted}, NULL, detail)
  WHERE addressId IN (SELECT value FROM json_each(:addressIds))
    AND (${isLifted} OR listed IS NOT 1)`

/**
 * Writes rows with address ids. Ids of another key would not match those who unsubscribed, so the
 * first write binds the file to its key, and another key is refused.
 */
export async function writeBound<T>(
  { write }: Pick<SqliteDatabase, 'write'>,
  { fingerprint }: AddressIds,
  work: (sql: Sql) => T,
): Promise<T> {
  const done = await write((sql) =>
    isBoundTo(sql, fingerprint) ? { result: work(sql) } : undefined,
  )
  if (!done)
    throw new StoreUnavailable('LINK_KEY is not the one that unsubscribes were kept with so far.')
  return done.result
}

/** Binds the file to a key, unless it is bound already. @returns whether it is to this one. */
export function isBoundTo(sql: Sql, fingerprint: string): boolean {
  const bound = sql('SELECT fingerprint FROM boundTo').get()
  if (!bound) sql('INSERT INTO boundTo (fingerprint) VALUES (?)').run(fingerprint)
  return !bound || bound.fingerprint === fingerprint
}

/**
 * Erases an address: a mark that it was forgotten stays, and its deliveries without the address.
 */
export function erase(sql: Sql, addressId: string, email: string): Forgotten {
  put(sql, addressId, { standing: 'forgotten', at: new Date() })
  sql('DELETE FROM extras WHERE addressId = ?').run(addressId)
  sql('DELETE FROM sources WHERE addressId = ?').run(addressId)
  sql('DELETE FROM invitations WHERE addressId = ?').run(addressId)
  sql('DELETE FROM pending WHERE addressId = ?').run(addressId)
  sql('DELETE FROM outbox WHERE email = ?').run(email)
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
  return { wasSubscriber: subscribers > 0, deliveries: rows.length }
}
