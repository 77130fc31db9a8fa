import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * Reads a copy of the file of a server that was killed, since opening the file itself would mend it
 * before the server can.
 *
 * @param folder is made for the copy. @returns whether the file is whole, and what `read` found; a
 *   server that was killed early has no file or no table.
 */
export function readFileLeft<T>(
  databaseFile: string,
  folder: string,
  read: (db: DatabaseSync) => T,
): { readonly intact: boolean; readonly found: T | undefined } {
  if (!existsSync(databaseFile)) return { intact: true, found: undefined }
  mkdirSync(folder)
  const file = join(folder, 'copy.sqlite')
  for (const part of ['', '-wal'])
    if (existsSync(databaseFile + part)) copyFileSync(databaseFile + part, file + part)
  const db = new DatabaseSync(file)
  const [check] = db.prepare('PRAGMA integrity_check').all()
  const hasTable = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'subscribers'`).get()
  const found = hasTable ? read(db) : undefined
  db.close()
  return { intact: check?.integrity_check === 'ok', found }
}
