import type { SqliteConnection } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { DatabaseLocked, retry } from './retry.ts'

/** SQLite's default for the log, 4 MB, and our limit for that of the largest files, 200 MB. */
const LEAST_LOG_PAGES = 1000
const MOST_LOG_PAGES = 50_000

/**
 * Lets the log grow to a quarter of the file before it is written back. Addresses come in no order,
 * so in a long list each changes other pages. The longer the log, the more changes of one page are
 * written back at once.
 */
export function fitLog({ db, sql }: SqliteConnection): void {
  const quarter = Math.floor(Number(sql('PRAGMA page_count').get()?.page_count) / 4)
  const pages = Math.min(Math.max(quarter, LEAST_LOG_PAGES), MOST_LOG_PAGES)
  db.exec(`PRAGMA wal_autocheckpoint = ${pages}`)
}

const EMPTY_FOR_MS = 10_000

/** Cuts the log, which still holds what was erased from the file. @throws StoreUnavailable */
export async function emptyLog(database: SqliteDatabase): Promise<void> {
  await retry(
    async () => {
      const row = await database.read((sql) => sql('PRAGMA wal_checkpoint(TRUNCATE)').get())
      if (row?.busy !== 0)
        throw new DatabaseLocked(
          'The address is erased, but the write-ahead log is in use and still has it; forget it again.',
        )
    },
    { forMs: EMPTY_FOR_MS },
  )
}
