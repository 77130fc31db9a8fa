import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isBusy } from '../sole-holder.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import { mustBeWhole } from './log-mark.ts'
import { isOfTheFile } from './outage.ts'
import { isOfSomebody } from './own-file.ts'
import { isLeased, leasedAt } from './run-lock.ts'
import { versionOf } from './versions.ts'

/*
 * Looks at a list without a change to it.
 */

/** Whether an announcement from this list is under way. */
export const isAnnouncingFrom = (file: string) =>
  hasRow(file, `SELECT 1 FROM runs WHERE ${isLeased}`, ...leasedAt())

/** Whether this list has ids that were made with a key. */
export const isKeptWithKey = (file: string) =>
  hasRow(file, "SELECT 1 FROM notes WHERE name = 'boundTo'")

function hasRow(file: string, sql: string, ...values: string[]): boolean {
  // An open to read makes an empty log as well.
  mustBeWhole(file)
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    // One that a restore began and did not end has no tables.
    return versionOf(db) > 0 && db.prepare(sql).get(...values) !== undefined
  } finally {
    db.close()
  }
}

/** A list that nobody else has open, in its one file, until it is let go; or that there is none. */
export interface HeldList {
  /** Whether there are data of anybody. */
  readonly isOfSomebody: boolean
  /** @param to an empty file. */
  copyTo(to: string): void
  letGo(): void
}

/** For a command that only looks. */
const WAIT_MS = 2000

/**
 * @returns `undefined` while another process has it open.
 * @throws StoreUnavailable where it is not whole, or no list.
 */
export function heldAlone(file: string): HeldList | undefined {
  // Also where there is only a log, which SQLite would take for that of a list that comes there.
  mustBeWhole(file)
  // Also one that is not there yet: a server that starts meanwhile would make it, with a log of its own.
  closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file, { timeout: WAIT_MS })
  try {
    // The mode cannot be changed while others have it open, and does not wait for that.
    db.exec(
      'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT; PRAGMA journal_mode = DELETE',
    )
    // A log that remained would be one of the list that takes its place.
    if (existsSync(`${file}-wal`)) throw new Error(`${file}-wal remains`)
    return {
      isOfSomebody: versionOf(db) > 0 && isOfSomebody(db),
      copyTo: (to) => void db.prepare('VACUUM INTO ?').run(to),
      letGo: () => db.close(),
    }
  } catch (cause) {
    db.close()
    if (isBusy(cause)) return undefined
    if (!isOfTheFile(cause)) throw cause
    const { message } = cause as Error
    throw new StoreUnavailable(`${file} is no whole list: ${message}. Move it away first.`, {
      cause,
    })
  }
}
