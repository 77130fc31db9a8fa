import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { connectionTo, type SqliteConnection } from './connection.ts'
import { mustBeWhole, unmarkLog } from './log-mark.ts'
import { isLocked, isOutage } from './outage.ts'

export type SqliteFile = ReturnType<typeof sqliteFile>

/**
 * @param makeOurs is called with each opened file, and throws for one that is not ours.
 * @param log gets a sentence where the file is not the one that it was.
 */
export function sqliteFile(
  file: string,
  makeOurs: (db: DatabaseSync) => void,
  log: (message: string) => void,
) {
  let open: { connection: SqliteConnection; identity: string } | undefined
  let wasOpen = false

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

  return {
    /** A connection to the file that is at the path now, which is opened where it is not. */
    connection(): SqliteConnection {
      if (open && open.identity !== identityOf(file)) {
        log(`${file} was removed or replaced. Its content is lost unless the file is put back.`)
        release()
      }
      if (open) return open.connection
      const isGone = wasOpen && !existsSync(file)
      mustBeWhole(file)
      // Readable by its owner only; SQLite gives its other files the same permissions.
      closeSync(openSync(file, 'a', 0o600))
      // Not logged while the folder is missing too, or each sign-up would log it again.
      if (isGone) log(`${file} is missing: starting an empty one.`)
      const connection = connect(file, makeOurs)
      open = { connection, identity: identityOf(file) }
      wasOpen = true
      return connection
    },

    /** Closes the file, until it is used again. */
    release,
  }
}

function connect(file: string, makeOurs: (db: DatabaseSync) => void): SqliteConnection {
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
    return connectionTo(db)
  } catch (cause) {
    db.close()
    throw cause
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
