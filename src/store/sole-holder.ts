import { DatabaseSync } from 'node:sqlite'

const BUSY = 5

/**
 * Holds a file until it is released or this process ends in any way: the lock is the operating
 * system's, so a killed process leaves nothing behind.
 *
 * @param file is made if it is missing; it stays empty.
 * @param waitMs how long to wait for another holder; this blocks the process.
 * @returns a function that releases it, or `undefined` while another process has it.
 */
export function holdAlone(file: string, waitMs = 0): (() => void) | undefined {
  const db = new DatabaseSync(file, { timeout: waitMs })
  try {
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return () => db.close()
  } catch (cause) {
    db.close()
    if (isBusy(cause)) return undefined
    throw cause
  }
}

/** Whether SQLite refused because another process has the file. */
export const isBusy = (cause: unknown) =>
  ((cause as { errcode?: number }).errcode ?? 0) % 256 === BUSY
