import { closeSync, fsyncSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Makes a fresh copy one file that survives a power failure. */
export function settleCopy(file: string): void {
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = DELETE')
  db.close()
  const handle = openSync(file, 'r+')
  fsyncSync(handle)
  closeSync(handle)
}
