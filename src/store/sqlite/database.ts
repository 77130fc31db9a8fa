import type { Sql, SqliteConnection } from './connection.ts'
import type { SqliteFile } from './file.ts'
import { markLog } from './log-mark.ts'
import { DatabaseLocked, type LockRetry, retry } from './retry.ts'
import { inTransaction } from './transaction.ts'

/** What the parts of the SQLite store share. Each call waits for a lock, two seconds at most. */
export interface SqliteDatabase {
  /** Looks something up. @throws StoreUnavailable */
  read<T>(work: (sql: Sql) => T): Promise<T>
  /** Does `work` in one transaction, whole or not at all, on disk when it resolves. @throws StoreUnavailable */
  write<T>(work: (sql: Sql) => T): Promise<T>
  /**
   * The same, but without a sync and without waiting for a lock: the write survives the process,
   * but not a power failure before the next sync. It delays no answer.
   */
  writeUnsynced<T>(work: (sql: Sql) => T): Promise<T>
}

/** Files grow slowly. */
const WRITES_UNTIL_FIT = 1000

export function sqliteDatabase(file: SqliteFile): SqliteDatabase {
  let writes = 0

  function transaction<T>(work: (sql: Sql) => T): T {
    return file.use((connection) => {
      if (writes % WRITES_UNTIL_FIT === 0) {
        fitLog(connection)
        markLog(connection.db)
      }
      writes += 1
      return inTransaction(connection, work)
    })
  }

  async function patiently<T>(attempt: () => T, policy?: LockRetry): Promise<T> {
    try {
      return await retry(attempt, policy)
    } catch (error) {
      if (error instanceof DatabaseLocked) file.note(error)
      throw error
    }
  }

  return {
    read: (work) => patiently(() => file.use(({ sql }) => work(sql))),
    write: (work) => patiently(() => transaction(work)),
    writeUnsynced: async (work) =>
      file.use((connection) => {
        connection.db.exec('PRAGMA synchronous = NORMAL')
        try {
          return inTransaction(connection, work)
        } finally {
          connection.db.exec('PRAGMA synchronous = FULL')
        }
      }),
  }
}

/** SQLite's default for the log, 4 MB, and our limit for that of the largest files, 200 MB. */
const LEAST_LOG_PAGES = 1000
const MOST_LOG_PAGES = 50_000

/**
 * Lets the log grow to a quarter of the file before it is written back. Addresses come in random
 * order, so in a long list each changes another page. The longer the log, the more changes of one
 * page are written back at once.
 */
export function fitLog({ db, sql }: SqliteConnection): void {
  const quarter = Math.floor(Number(sql('PRAGMA page_count').get()?.page_count) / 4)
  const pages = Math.min(Math.max(quarter, LEAST_LOG_PAGES), MOST_LOG_PAGES)
  db.exec(`PRAGMA wal_autocheckpoint = ${pages}`)
}
