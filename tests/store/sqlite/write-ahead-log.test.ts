import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { fitLog } from '../../../src/store/sqlite/database.ts'

/** For a database of so many pages, after how many pages its log is written back. */
function logOf(pages: number) {
  const db = new DatabaseSync(':memory:')
  onTestFinished(() => db.close())
  db.exec(
    `PRAGMA page_size = 512; CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(${pages} * 508))`,
  )
  fitLog({ db, sql: (text) => db.prepare(text) })
  return Number(db.prepare('PRAGMA wal_autocheckpoint').get()?.wal_autocheckpoint)
}

it('the log may have a quarter of the file, at least 1,000 pages and at most 50,000', {
  tags: 'thorough',
}, () => {
  expect(logOf(10)).toBe(1000)
  expect(logOf(3900)).toBe(1000)
  const quarter = logOf(10_000)
  expect(quarter).toBeGreaterThanOrEqual(2500)
  expect(quarter).toBeLessThan(2510)
  expect(logOf(201_000)).toBe(50_000)
})
