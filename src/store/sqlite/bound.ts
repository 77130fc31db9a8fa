import type { AddressIds } from '../../keys/address-id.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { noteIn, putNote } from './notes.ts'

export const OTHER_KEY =
  'LINK_KEY is not the key that unsubscribes were kept with so far: put that one back.'

const boundIn = (sql: Sql) => noteIn(sql, 'boundTo')

/** Whether the file is bound to another key than this one. */
export function isBoundToOther(sql: Sql, fingerprint: string): boolean {
  const bound = boundIn(sql)
  return bound !== undefined && bound !== fingerprint
}

/** Binds the file to a key, unless it is bound already. @returns whether it is to this one. */
export function isBoundTo(sql: Sql, fingerprint: string): boolean {
  if (boundIn(sql) === undefined) putNote(sql, 'boundTo', fingerprint)
  return !isBoundToOther(sql, fingerprint)
}

/**
 * Writes what has address ids. Ids of another key would not match those who unsubscribed, so the first
 * write binds the file to its key, and another key is refused.
 */
export async function writeBound<T>(
  { write }: Pick<SqliteDatabase, 'write'>,
  ids: AddressIds,
  work: (sql: Sql) => T,
): Promise<T> {
  const done = await write((sql) =>
    isBoundTo(sql, ids.fingerprint) ? { result: work(sql) } : undefined,
  )
  if (!done) throw new StoreUnavailable(OTHER_KEY)
  return done.result
}
