/** The thread of `sqlite-checkpoints.ts`. Each message asks for a checkpoint; each answer tells of one. */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

const { file, logPages }: { file: string; logPages: number } = workerData
// Opened anew each time, and never made: it may have been removed or replaced meanwhile.
const existing = new URL('?mode=rw', pathToFileURL(file))

parentPort?.on('message', () => parentPort?.postMessage(attempt()))

/** @returns whether the log is so long that it has to be begun anew. */
function attempt(): boolean {
  try {
    return checkpoint()
  } catch {
    // Whatever it was, what is not written back is still in the log.
    return false
  }
}

function checkpoint(): boolean {
  const db = new DatabaseSync(existing, { timeout: 0 })
  try {
    db.exec('PRAGMA synchronous = FULL')
    // Leaves out what is committed after its start; only one that leaves nothing syncs the file.
    const writeBack = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
    if (Number(writeBack.get()?.log) < logPages) return false
    // The rest is for a thread for which others wait: as little of it as can be.
    syncFile()
    writeBack.get()
    return true
  } finally {
    db.close()
  }
}

function syncFile() {
  const descriptor = openSync(file, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
