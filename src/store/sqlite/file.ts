import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../subscriber-store.ts'
import { DatabaseLocked } from './group-commit.ts'

export interface SqliteFile<Connection> {
  /** Runs `work` on a connection to the file that is at the path now. @throws StoreUnavailable */
  use<T>(work: (connection: Connection) => T): T
  close(): void
}

/**
 * A SQLite file that is opened when first used, and again by itself after anything went wrong.
 *
 * @param prepare sets up a new connection: schema and statements.
 * @param log is told, in a sentence, when the database goes and when it comes back.
 * @param mayOpen throws while the file is not to be touched.
 */
export function sqliteFile<Connection>(
  file: string,
  prepare: (db: DatabaseSync) => Connection,
  log: (message: string) => void,
  mayOpen = () => {},
): SqliteFile<Connection> {
  let open: { db: DatabaseSync; connection: Connection; identity: string } | undefined
  let wasOpen = false
  let problem: string | undefined
  let closed = false

  function current(): Connection {
    if (open && open.identity !== identityOf(file)) {
      log(`${file} was removed or replaced. What it held is lost unless it is put back.`)
      release()
    }
    open ??= connect()
    return open.connection
  }

  function connect() {
    mayOpen()
    const isGone = wasOpen && !existsSync(file)
    // Addresses are for nobody else on this machine; SQLite's other files take after this one.
    closeSync(openSync(file, 'a', 0o600))
    // Not while its folder is gone as well: whoever signs up then would have it said once more.
    if (isGone) log(`${file} is missing: starting an empty one.`)
    const db = new DatabaseSync(file, { timeout: 0 })
    try {
      db.exec(`
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        -- Temporary structures, of which every group makes one, need no file.
        PRAGMA temp_store = MEMORY;
        -- What is deleted, or moved to another page, leaves no copy behind.
        PRAGMA secure_delete = ON`)
      const connection = prepare(db)
      wasOpen = true
      return { db, connection, identity: identityOf(file) }
    } catch (cause) {
      db.close()
      throw cause
    }
  }

  function release() {
    open?.db.close()
    open = undefined
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
        const reason = `The database cannot be used: ${(cause as Error).message}.`
        if (problem !== reason) log(reason)
        problem = reason
        if (isLocked(cause)) throw new DatabaseLocked(reason, { cause })
        // After a failed write or sync only the file itself tells what is in it: read it anew.
        release()
        if (cause instanceof StoreUnavailable) throw cause
        throw new StoreUnavailable(reason, { cause })
      }
    },
    close() {
      closed = true
      release()
    },
  }
}

/**
 * Which files are at the path. A deleted file stays open and takes writes that nobody will read,
 * and so does its log; their inodes tell, and cannot be given away while they are open.
 */
function identityOf(file: string): string {
  return [file, `${file}-wal`]
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat ? `${stat.dev}:${stat.ino}` : 'missing'
    })
    .join()
}

const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6

function isLocked(cause: unknown): boolean {
  // The low byte is the primary code; the rest says which kind.
  const code = Number((cause as { errcode?: number }).errcode) & 0xff
  return code === SQLITE_BUSY || code === SQLITE_LOCKED
}
