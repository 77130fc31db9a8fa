import type { SqliteConnection } from './connection.ts'

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
