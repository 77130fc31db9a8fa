import { DatabaseSync } from 'node:sqlite'
import { isLeased, leasedAt } from './lock.ts'
import { mustBeWhole } from './log-mark.ts'

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
    return db.prepare(sql).get(...values) !== undefined
  } finally {
    db.close()
  }
}
