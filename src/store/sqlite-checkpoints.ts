import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

export interface CheckpointLimits {
  /** From this size of the file on there is a thread, in bytes. */
  readonly threadFrom: number
  /** How many rows are committed before the next checkpoint. */
  readonly rows: number
  /** How long the log may get, in pages of 4 kB, before it is begun anew. */
  readonly logPages: number
}

/** A quarter of a million subscribers; as often as SQLite by itself; a log of 100 MB. */
const LIMITS: CheckpointLimits = { threadFrom: 2 ** 26, rows: 600, logPages: 25_000 }

export interface SqliteCheckpoints {
  /** Says, between two transactions, that so many rows were committed. */
  after(rows: number, db: DatabaseSync): void
  close(): Promise<void>
}

/**
 * Writes the log of a large file back in a thread of its own. SQLite by itself does that at the end
 * of every tenth group or so, which then waits for a thousand pages in random places to be synced.
 */
export function sqliteCheckpoints(file: string, given: Partial<CheckpointLimits> = {}) {
  const { threadFrom, rows, logPages } = { ...LIMITS, ...given }
  let thread: Worker | undefined
  let busy = false
  let logIsLong = false
  let committed = 0

  function start() {
    const source = new URL('sqlite-checkpoint-thread.ts', import.meta.url)
    const started = new Worker(source, { workerData: { file, logPages } })
    started.unref()
    started.on('message', (isLong: boolean) => {
      busy = false
      logIsLong = isLong
    })
    // It stays busy then, and SQLite does it all by itself when the log is four times as long.
    started.on('error', () => {})
    return started
  }

  return {
    after(added, db) {
      committed += added
      if (logIsLong) beginAnew(db)
      logIsLong = false
      if (busy || committed < rows) return
      committed = 0
      if (!thread && (statSync(file, { throwIfNoEntry: false })?.size ?? 0) < threadFrom) return
      db.exec(`PRAGMA wal_autocheckpoint = ${4 * logPages}`)
      thread ??= start()
      thread.postMessage('checkpoint')
      busy = true
    },

    async close() {
      await thread?.terminate()
    },
  } satisfies SqliteCheckpoints
}

/**
 * SQLite overwrites the log once all of it is written back. The thread is always behind the latest
 * commits; what it has left over is little, and is written here, while nobody commits.
 */
function beginAnew(db: DatabaseSync) {
  try {
    db.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {
    // The rows are safe in the log, whatever became of this.
  }
}
