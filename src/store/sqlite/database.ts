import { StoreUnavailable } from '../subscriber-store.ts'
import { inTransaction, type Sql, type SqliteConnection } from './connection.ts'
import type { SqliteFile } from './file.ts'
import { groupCommit } from './group-commit.ts'
import { markLog } from './log-mark.ts'
import { DatabaseLocked, isLocked, isOutage, retry } from './outage.ts'

/** Files grow slowly. */
const WRITES_UNTIL_FIT = 1000

export type SqliteDatabase = ReturnType<typeof sqliteDatabase>

/**
 * What the parts of the SQLite store share. A call waits for a lock, two seconds at most, and throws
 * StoreUnavailable in an outage; errors that are none are thrown as they are.
 *
 * @param log gets a sentence when an outage begins, and when it ends.
 */
export function sqliteDatabase(file: SqliteFile, log: (message: string) => void) {
  const { use, patiently, close } = usesOf(file, log)
  const groups: { close(): Promise<void> }[] = []
  let writes = 0

  return {
    /** Opens the file now, not at its first use. */
    open: () => use(() => {}),

    /** Looks something up. */
    read: <T>(work: (sql: Sql) => T) => patiently(({ sql }) => work(sql)),

    /** Does `work` in one transaction, whole or not at all, on disk when it resolves. */
    write: <T>(work: (sql: Sql) => T) =>
      patiently((connection) => {
        if (writes % WRITES_UNTIL_FIT === 0) {
          fitLog(connection)
          markLog(connection.db)
        }
        writes += 1
        return inTransaction(connection, work)
      }),

    /**
     * The same, but without a sync and without waiting for a lock: the write survives the process,
     * but not a power failure before the next sync. It delays no answer.
     */
    writeUnsynced: async <T>(work: (sql: Sql) => T) =>
      use((connection) => {
        connection.db.exec('PRAGMA synchronous = NORMAL')
        try {
          return inTransaction(connection, work)
        } finally {
          connection.db.exec('PRAGMA synchronous = FULL')
        }
      }),

    /**
     * What arrives together is committed together, and waited for when the file is closed.
     *
     * @param commit takes a whole group, and resolves when all of it is on disk.
     * @returns a function that resolves once its item is. @throws what `commit` threw for the group.
     */
    together<T, R = void>(commit: (items: T[]) => Promise<R>): (item: T) => Promise<R> {
      const group = groupCommit(commit)
      groups.push(group)
      return group.add
    },

    async close() {
      await Promise.all(groups.map((group) => group.close()))
      close()
    },
  }
}

function usesOf(file: SqliteFile, log: (message: string) => void) {
  let problem: string | undefined
  let isClosed = false

  /** Logs an outage once, until the reason changes. */
  function note(reason: string) {
    if (problem !== reason) log(reason)
    problem = reason
  }

  function use<T>(work: (connection: SqliteConnection) => T): T {
    if (isClosed) throw new StoreUnavailable('The store is closed.')
    try {
      const result = work(file.connection())
      if (problem) log('The database can be used again.')
      problem = undefined
      return result
    } catch (cause) {
      const reason = `The database cannot be used: ${(cause as Error)?.message}.`
      // Mostly another process has it for a moment, which is not logged.
      if (isLocked(cause)) throw new DatabaseLocked(reason, { cause })
      // After a failed write or sync only the file shows its content, so it is opened again.
      file.release()
      const isKnown = cause instanceof StoreUnavailable
      if (!isKnown && !isOutage(cause)) throw cause
      note(reason)
      throw isKnown ? cause : new StoreUnavailable(reason, { cause })
    }
  }

  async function patiently<T>(work: (connection: SqliteConnection) => T): Promise<T> {
    try {
      return await retry(() => use(work))
    } catch (error) {
      if (error instanceof DatabaseLocked) note(error.message)
      throw error
    }
  }

  return {
    use,
    patiently,
    close() {
      isClosed = true
      file.release()
    },
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
