import { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../subscriber-store.ts'
import type { SqliteDatabase } from './database.ts'
import { DatabaseLocked, isOfTheFile, retry } from './outage.ts'
import { holdsAnyOf } from './traces.ts'

/** How long rewriting the file waits for other processes. */
const WAIT_MS = 10_000
const EMPTY_FOR_MS = 10_000

/**
 * Makes sure that no file of the database still holds erased addresses.
 *
 * `secure_delete` overwrites deleted bytes, but not always those that were moved within the file
 * before: of some thousand addresses, one is left in free space. The file is then rewritten.
 *
 * @throws StoreUnavailable when they are erased, but the file or its log may still have a trace.
 */
export async function eraseTraces(
  database: SqliteDatabase,
  emails: readonly string[],
): Promise<void> {
  await emptyLog(database)
  if (emails.length === 0) return
  const file = await database.read((sql) => String(sql('PRAGMA database_list').get()?.file))
  try {
    if (!(await holdsAnyOf(file, emails))) return
    // A connection of its own, since the store's may have another statement under way.
    const db = new DatabaseSync(file, { timeout: WAIT_MS })
    try {
      db.exec('PRAGMA secure_delete = ON; VACUUM')
    } finally {
      db.close()
    }
  } catch (cause) {
    if (!isOfTheFile(cause)) throw cause
    throw new StoreUnavailable(
      `The address is erased, but the file may still have a trace of it (${(cause as Error).message}); forget it again.`,
      { cause },
    )
  }
  await emptyLog(database)
}

/** Cuts the log, which still holds erased bytes. @throws StoreUnavailable */
export async function emptyLog(database: SqliteDatabase): Promise<void> {
  await retry(async () => {
    if (!(await cutLog(database)))
      throw new DatabaseLocked(
        'The address is erased, but the write-ahead log is in use and still has it; forget it again.',
      )
  }, EMPTY_FOR_MS)
}

/** Writes the log back and cuts it, which SQLite never does by itself. @returns whether it is empty. */
export async function cutLog(database: SqliteDatabase): Promise<boolean> {
  const row = await database.read((sql) => sql('PRAGMA wal_checkpoint(TRUNCATE)').get())
  return row?.busy === 0
}
