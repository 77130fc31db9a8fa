import type { AddressIds } from '../../keys/address-id.ts'
import {
  standings as allStandings,
  isLiftedBySignUp,
  outranks,
  type Standing,
  type StandingEntry,
} from '../standing.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'

/* The rows of the table `standings`, for all parts of the store. */

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
      detail = excluded.detail, listed = coalesce(excluded.listed, listed),
      isImported = 0`).run(
    ...[addressId, standing, at.toISOString(), detail ?? null],
    isListed === undefined ? null : Number(isListed),
  )
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
    throw new StoreUnavailable(
      'LINK_KEY is not the key that unsubscribes were kept with so far: put that one back.',
    )
  return done.result
}

/** Binds the file to a key, unless it is bound already. @returns whether it is to this one. */
export function isBoundTo(sql: Sql, fingerprint: string): boolean {
  const bound = sql('SELECT fingerprint FROM boundTo').get()
  if (!bound) sql('INSERT INTO boundTo (fingerprint) VALUES (?)').run(fingerprint)
  return !bound || bound.fingerprint === fingerprint
}
