import { isCount } from '../../shared/stored-json.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'

/*
 * What the list keeps as one value each, by its name, in JSON: its reader checks it, since
 * anybody may have written the file.
 */

/** @returns `undefined` where there is none, and `null` for what is no JSON. */
export function noteIn(sql: Sql, name: string): unknown {
  const row = sql('SELECT data FROM notes WHERE name = ?').get(name)
  return row && parsed(String(row.data))
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return null
  }
}

/** @param value `undefined` removes it. */
export function putNote(sql: Sql, name: string, value: unknown): void {
  if (value === undefined) sql('DELETE FROM notes WHERE name = ?').run(name)
  else sql('REPLACE INTO notes (name, data) VALUES (?, ?)').run(name, JSON.stringify(value))
}

/** A number; 0 where there is none. */
export function numberIn(sql: Sql, name: string): number {
  const value = noteIn(sql, name)
  return isCount(value) ? value : 0
}

/** Adds one to a number. */
export function countNote(sql: Sql, name: string): void {
  sql(`
    INSERT INTO notes (name, data) VALUES (?, 1) ON CONFLICT DO UPDATE SET data = data + 1`).run(
    name,
  )
}

/**
 * Changes one in a transaction; the same value writes nothing.
 *
 * @param change a pure function; `undefined` removes it. @returns what was there before.
 */
export function changeNote<T>(
  database: SqliteDatabase,
  name: string,
  read: (stored: unknown) => T,
  change: (found: T) => unknown,
): Promise<T> {
  return database.write((sql) => {
    const found = read(noteIn(sql, name))
    const after = change(found)
    if (after !== found) putNote(sql, name, after)
    return found
  })
}
