import { closeSync, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TakenBack } from '../list-file.ts'
import { makeNew, syncFile, syncFolder } from '../output-file.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import { takeSteps } from './bring-up.ts'
import { keepCopy } from './kept-copies.ts'
import { subscribersOf } from './list-file.ts'
import { migrations } from './migrations/all.ts'
import { versionOf } from './schema-version.ts'

/** How long to wait for other programs of ours. */
const WAIT_MS = 10_000
const LOOK_EVERY_MS = 250

/**
 * Takes a list back to an older version, with all sign-ups, unsubscribes and erasures since it was
 * migrated: it makes a file of the older schema, and copies every row that has a place there. The
 * server must be stopped. If the process is killed, one file or the other is left.
 *
 * @param to the version. @param waitMs how long to wait for other processes that have the file
 *   open.
 * @returns `undefined` where the list is of that version, or of an older one.
 * @throws StoreUnavailable where the list is in use, or would not be the same.
 */
export async function takeBack(
  file: string,
  appId: string,
  to: number,
  waitMs = WAIT_MS,
): Promise<TakenBack | undefined> {
  const fresh = file.replace(/\.sqlite$/, '.taken-back.part')
  for (const end of ['', '-journal']) rmSync(fresh + end, { force: true })
  const from = await alone(file, waitMs)
  if (from <= to) return undefined
  const keptAs = await keepCopy(file, from)
  closeSync(makeNew(fresh))
  const db = new DatabaseSync(fresh)
  let subscribers: number
  try {
    takeSteps(db, appId, to)
    db.prepare('ATTACH ? AS newer').run(file)
    db.exec('BEGIN')
    takeRows(db, to)
    db.exec('COMMIT; DETACH newer')
    subscribers = compare(db, file)
  } finally {
    db.close()
  }
  syncFile(fresh)
  renameSync(fresh, file)
  syncFolder(dirname(file))
  return { subscribers, keptAs }
}

/**
 * Puts all of it into one file, which fails while another process has it open. @returns its
 * version.
 */
async function alone(file: string, waitMs: number): Promise<number> {
  for (const until = performance.now() + waitMs; ; await sleep(LOOK_EVERY_MS)) {
    const db = new DatabaseSync(file)
    try {
      const [mode] = Object.values(db.prepare('PRAGMA journal_mode = DELETE').get() ?? {})
      // A remaining log would be applied to the file that replaces this one.
      if (mode !== 'delete' || existsSync(`${file}-wal`)) throw new Error('it is in use')
      return versionOf(db)
    } catch (cause) {
      if (performance.now() < until) continue
      const { message } = cause as Error
      throw new StoreUnavailable(`${file} cannot go back to the older version: ${message}`, {
        cause,
      })
    } finally {
      db.close()
    }
  }
}

function takeRows(db: DatabaseSync, to: number): void {
  const schema = (kind: string) =>
    db
      .prepare(`SELECT name, sql FROM main.sqlite_schema WHERE type = ? AND sql IS NOT NULL`)
      .all(kind)
  // The rows are counted already, in a table that is copied as well.
  const triggers = schema('trigger')
  for (const { name } of triggers) db.exec(`DROP TRIGGER "${name}"`)
  for (const { name, sql } of schema('table')) {
    const table = String(name)
    if (table.startsWith('sqlite_') && table !== 'sqlite_sequence') continue
    db.exec(`DELETE FROM main."${table}"`)
    db.exec(`INSERT INTO main."${table}" ${rowsFor(db, table, String(sql), to)}`)
  }
  for (const { sql } of triggers) db.exec(String(sql))
}

/** @returns the columns and the rows for a table of the older version. */
function rowsFor(db: DatabaseSync, table: string, sql: string, to: number): string {
  const former = migrations.slice(to).find(({ formerly }) => formerly?.[table])?.formerly?.[table]
  if (former !== undefined) return former
  // New ids go on after the old ones, for tables of the older version.
  if (table === 'sqlite_sequence')
    return `SELECT * FROM newer.sqlite_sequence
      WHERE name IN (SELECT name FROM main.sqlite_schema)`
  const columns = columnsOf(db, 'main', table)
  const newer = columnsOf(db, 'newer', table)
  const missing = columns.filter((one) => !newer.includes(one))
  if (missing.length > 0)
    throw new StoreUnavailable(
      `A list of this version has no ${table} as version ${to} has it: ${missing.join(', ')}`,
    )
  const names = columns.map((one) => `"${one}"`)
  if (!/WITHOUT ROWID/.test(sql)) names.unshift('rowid')
  return `(${names}) SELECT ${names} FROM newer."${table}"`
}

function columnsOf(db: DatabaseSync, schema: string, table: string): string[] {
  // Without computed columns.
  const rows = db.prepare('SELECT name FROM pragma_table_info(?, ?)').all(table, schema)
  return rows.map(({ name }) => String(name))
}

/** @returns how many are on it. @throws where it is not the same list. */
function compare(db: DatabaseSync, file: string): number {
  const check = db.prepare('PRAGMA quick_check(1)').get()?.quick_check
  const before = new DatabaseSync(file, { readOnly: true })
  try {
    const [was, is] = [subscribersOf(before), subscribersOf(db)]
    if (check !== 'ok' || was.digest !== is.digest)
      throw new StoreUnavailable(
        `${file} cannot go back to the older version: it would not be the same list`,
      )
    return is.subscribers
  } finally {
    before.close()
  }
}
