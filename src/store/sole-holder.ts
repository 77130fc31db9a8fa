import { DatabaseSync } from 'node:sqlite'

const BUSY = 5

/**
 * Holds a file until it is let go of or this process ends, however it ends: the lock is the operating
 * system's, and nothing is left behind that a later run would have to judge.
 *
 * @param file is made if it is not there; nothing stands in it.
 * @param waitMs how long another holder is waited for; the process does nothing else meanwhile.
 * @returns what lets go of it, or `undefined` while another process has it.
 */
export function holdAlone(file: string, waitMs = 0): (() => void) | undefined {
  const db = new DatabaseSync(file, { timeout: waitMs })
  try {
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return () => db.close()
  } catch (cause) {
    db.close()
    if (((cause as { errcode?: number }).errcode ?? 0) % 256 === BUSY) return undefined
    throw cause
  }
}
