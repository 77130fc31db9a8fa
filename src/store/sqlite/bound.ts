import type { AddressIds } from '../../keys/address-id.ts'
import { signUp } from '../../people/changes.ts'
import { parseEmail } from '../../shared/email.ts'
import { objectIn } from '../../shared/stored-json.ts'
import { storedTime } from '../../shared/stored-time.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import { isBoundTo } from './bound-key.ts'
import { inTransaction, type Sql, type SqliteConnection } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { noteIn } from './notes.ts'
import { personsIn } from './persons.ts'

/**
 * Writes what has address ids. Ids of another key would not match those who unsubscribed, so the first
 * write binds the file to its key, and another key is refused.
 */
export async function writeBound<T>(
  { write }: Pick<SqliteDatabase, 'write'>,
  ids: AddressIds,
  work: (sql: Sql) => T,
): Promise<T> {
  const done = await write((sql) => {
    if (!isBoundTo(sql, ids.fingerprint)) return undefined
    takeInRecords(sql, ids)
    return { result: work(sql) }
  })
  if (!done)
    throw new StoreUnavailable(
      'LINK_KEY is not the key that unsubscribes were kept with so far: put that one back.',
    )
  return done.result
}

/** Takes in all that waits, where the file was opened under its own key. */
export function takeInAll(connection: SqliteConnection, ids: AddressIds): void {
  const { sql } = connection
  const mayBeTaken = () =>
    noteIn(sql, 'boundTo') === ids.fingerprint &&
    sql('SELECT 1 FROM documents WHERE waits LIMIT 1').get() !== undefined
  while (mayBeTaken()) inTransaction(connection, () => takeInRecords(sql, ids))
}

const AT_ONCE = 500

/** Takes in the records of those who signed up while the file was open under another key. */
export function takeInRecords(sql: Sql, ids: AddressIds): void {
  const rows = sql(`SELECT id, data FROM documents WHERE waits LIMIT ${AT_ONCE}`).all()
  for (const { id, data } of rows) {
    sql('DELETE FROM documents WHERE id = ?').run(Number(id))
    // Anybody may have written the file: no row keeps everybody waiting.
    const { email, subscribedAt } = objectIn(data) ?? {}
    const at = storedTime(subscribedAt)
    if (at && typeof email === 'string' && parseEmail(email) === email)
      personsIn(sql, ids).change(ids.of(email), (one) => signUp(one, { email, at }))
  }
}
