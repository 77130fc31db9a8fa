import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AddressIds } from '../../keys/address-id.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { noteIn, putNote } from './notes.ts'
import { inRecord } from './own-collection.ts'

export const OTHER_KEY =
  'LINK_KEY is not the key that unsubscribes were kept with so far: put that one back.'

/** A look or a change under way, with what makes the ids of addresses. */
export interface Keyed {
  readonly sql: Sql
  readonly ids: AddressIds
}

const boundIn = (sql: Sql) => noteIn(sql, 'boundTo')

/** Whether the file is bound to another key. */
export function isBoundToOther({ sql, ids }: Keyed): boolean {
  const bound = boundIn(sql)
  return bound !== undefined && bound !== ids.fingerprint
}

/** Binds the file to the key, unless it is bound already. @returns whether it is to this one. */
export function isBoundTo({ sql, ids }: Keyed): boolean {
  const bound = boundIn(sql)
  if (bound === undefined) putNote(sql, 'boundTo', ids.fingerprint)
  return bound === undefined || bound === ids.fingerprint
}

/** Whose an entry is, where that is not known: it came under another link.key, or it is nothing of ours. */
export const [UNNAMED, NOBODYS] = ['', '-']
const unnamed = `
  documents INDEXED BY "what waits unnamed"
  WHERE waits IS NOT NULL AND documents.addressId = '${UNNAMED}'`

export const isAnyUnnamed = (sql: Sql): boolean =>
  sql(`SELECT 1 FROM ${unnamed} LIMIT 1`).get() !== undefined

/** Visitors wait for the end of each transaction. */
const NAMED_AT_ONCE = 500

/** @returns whether some were not named: then more may be. */
function nameSome({ sql, ids }: Keyed): boolean {
  const rows = sql(`
    SELECT id, ${inRecord('email')} AS email, ${inRecord('addressId')} AS addressId
    FROM ${unnamed} LIMIT ${NAMED_AT_ONCE}`).all()
  for (const { id, email, addressId } of rows) {
    const whose = email === null ? addressId || NOBODYS : ids.of(String(email))
    sql('UPDATE documents SET addressId = ? WHERE id = ?').run(String(whose), Number(id))
  }
  return rows.length > 0
}

/**
 * Writes what has address ids. Ids of another key would not match those who unsubscribed, so the first
 * write binds the file to its key, and another key is refused. What waits is named before, in
 * transactions of its own: then `work` finds all that is of somebody.
 */
export async function writeBound<T>(
  { write }: Pick<SqliteDatabase, 'write'>,
  ids: AddressIds,
  work: (keyed: Keyed) => T,
): Promise<T> {
  for (;;) {
    const done = await write((sql) => {
      const keyed = { sql, ids }
      if (!isBoundTo(keyed)) return 'refused'
      return nameSome(keyed) ? 'named' : { result: work(keyed) }
    })
    if (done === 'refused') throw new StoreUnavailable(OTHER_KEY)
    if (done !== 'named') return done.result
    await nextTurn()
  }
}
