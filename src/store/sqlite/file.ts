import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../subscriber-store.ts'
import { connectionTo, type SqliteConnection } from './connection.ts'
import { mustBeWhole, unmarkLog } from './log-mark.ts'
import { isLocked, isOutage } from './outage.ts'
import { DatabaseLocked } from './retry.ts'

export interface SqliteFile {
  /**
   * Runs `work` on a connection to the file that is at the path now. Errors that are no outage are
   * thrown as they are.
   *
   * @throws StoreUnavailable; DatabaseLocked while another process has the file, which is not logged:
   *   mostly it has the file for a moment.
   */
  use<T>(work: (connection: SqliteConnection) => T): T
  /** Logs an outage once, until the reason changes: for a lock that was waited for in vain. */
  note(outage: StoreUnavailable): void
  close(): void
}

/**
 * A SQLite file that is opened at its first use, and again after every error.
 *
 * @param makeOurs is called with each opened file, and throws for one that is not ours.
 * @param log gets a sentence when an outage begins and when it ends.
 */
export function sqliteFile(
  file: string,
  makeOurs: (db: DatabaseSync) => void,
  log: (message: string) => void,
): SqliteFile {
  let open: { connection: SqliteConnection; identity: string } | undefined
  let wasOpen = false
  let problem: string | undefined
  let closed = false

  function current(): SqliteConnection {
    if (open && open.identity !== identityOf(file)) {
      log(`${file} was removed or replaced. Its content is lost unless the file is put back.`)
      release()
    }
    open ??= connect()
    return open.connection
  }

  function connect() {
    const isGone = wasOpen && !existsSync(file)
    mustBeWhole(file)
    // Readable by its owner only; SQLite gives its other files the same permissions.
    closeSync(openSync(file, 'a', 0o600))
    // Not logged while the folder is missing too, or each sign-up would log it again.
    if (isGone) log(`${file} is missing: starting an empty one.`)
    const db = new DatabaseSync(file, { timeout: 0 })
    try {
      db.exec(`
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        -- Each group of sign-ups makes temporary structures; in memory they need no file.
        PRAGMA temp_store = MEMORY;
        -- Deleted content is overwritten with zeros; eraseTraces has what that leaves.
        PRAGMA secure_delete = ON`)
      unmarkLog(db)
      makeOurs(db)
      wasOpen = true
      return { connection: connectionTo(db), identity: identityOf(file) }
    } catch (cause) {
      db.close()
      throw cause
    }
  }

  function release() {
    const db = open?.connection.db
    open = undefined
    try {
      if (db) unmarkLog(db)
    } catch (cause) {
      if (!isLocked(cause) && !isOutage(cause)) throw cause
    } finally {
      db?.close()
    }
  }

  function note(reason: string) {
    if (problem !== reason) log(reason)
    problem = reason
  }

  /** @returns what to throw. */
  function unavailable(cause: Error): StoreUnavailable {
    const reason = `The database cannot be used: ${cause.message}.`
    if (isLocked(cause)) return new DatabaseLocked(reason, { cause })
    note(reason)
    return cause instanceof StoreUnavailable ? cause : new StoreUnavailable(reason, { cause })
  }

  return {
    use(work) {
      if (closed) throw new StoreUnavailable('The store is closed.')
      try {
        const result = work(current())
        if (problem) log('The database can be used again.')
        problem = undefined
        return result
      } catch (cause) {
        // After a failed write or sync only the file shows its content, so it is opened again.
        if (!isLocked(cause)) release()
        const isKnown = cause instanceof StoreUnavailable || isOutage(cause)
        throw isKnown ? unavailable(cause as Error) : cause
      }
    },
    note: ({ message }) => note(message),
    close() {
      closed = true
      release()
    },
  }
}

/**
 * The inodes of the file and its log at this path. A deleted file stays open and accepts writes
 * that are lost. The inodes show that, since they cannot be reused while the files are open.
 */
function identityOf(file: string): string {
  return [file, `${file}-wal`]
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat ? `${stat.dev}:${stat.ino}` : 'missing'
    })
    .join()
}
