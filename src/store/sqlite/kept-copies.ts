import { closeSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { makeNew, syncFolder } from '../output-file.ts'
import { StoreUnavailable } from '../subscriber-store.ts'

/** How many copies are kept. A copy still holds addresses that are forgotten later. */
const KEPT = 2
const ALL_AT_ONCE = 1_000_000

/**
 * Copies a file beside itself before its migration; no other process may write meanwhile.
 *
 * @returns the copy, checked and on disk. @throws with the fault.
 */
export async function keepCopy(file: string, version: number): Promise<string> {
  const stem = `${basename(file, '.sqlite')}.version-`
  const folder = dirname(file)
  const date = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const copy = join(folder, `${stem}${version}.${date}Z.sqlite`)
  const unfinished = `${copy}.part`
  const names = () => readdirSync(folder).filter((name) => name.startsWith(stem))
  // Leftovers of a killed run, with SQLite's own files.
  for (const name of names())
    if (/\.part(-\w+)?$/.test(name)) rmSync(join(folder, name), { force: true })
  closeSync(makeNew(unfinished))
  const source = new DatabaseSync(file, { readOnly: true })
  try {
    await backup(source, unfinished, { rate: ALL_AT_ONCE })
    settle(unfinished)
    renameSync(unfinished, copy)
  } finally {
    source.close()
    rmSync(unfinished, { force: true })
  }
  syncFolder(folder)
  const when = (name: string) => name.slice(name.indexOf('.', stem.length))
  const copies = names().filter((name) => name.endsWith('.sqlite'))
  for (const name of copies.toSorted((a, b) => (when(a) < when(b) ? 1 : -1)).slice(KEPT))
    rmSync(join(folder, name))
  return copy
}

/**
 * Makes the copy one file that can be moved by itself, and checks it. Its indexes are not compared
 * with its tables, which would take longer than all of the rest.
 */
function settle(file: string) {
  const db = new DatabaseSync(file)
  // SQLite has synced the copy, and syncs this change.
  db.exec('PRAGMA journal_mode = DELETE')
  const found = db.prepare('PRAGMA quick_check(1)').get()?.quick_check
  db.close()
  if (found !== 'ok') throw new StoreUnavailable(`the copy of it is damaged: ${found}`)
}
