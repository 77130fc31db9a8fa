import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isKept } from '../../keys/kept-key.ts'
import { isLinkKey } from '../../keys/link-key.ts'
import { inDataFolder } from '../../shared/data-folder.ts'
import { type Read, reader, storedTime } from '../../shared/stored-json.ts'
import type { CheckedCopy, CopiedKeys, CopyNote, Counts } from '../backups.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import { connectionTo, type Sql } from './connection.ts'
import { noteIn, putNote } from './notes.ts'
import { isOfTheFile } from './outage.ts'
import { makeList, newestVersion, versionOf } from './versions.ts'

/*
 * A copy is a whole list, with a note of when it was made and with its keys.
 */

/** In a copy alone: when it was made, and the keys of its data folder. */
export const COPIED = 'copied'

/** Longer than anything that we write. */
const LONGEST_CELL = 100_000

/** A broken key in place of a good one would stop the server. */
const keyIn =
  (isKey: (bytes: Uint8Array) => boolean): Read<Uint8Array> =>
  (stored) => {
    const bytes = Buffer.from(String(stored), 'base64')
    return isKey(bytes) ? bytes : undefined
  }

const keysIn = reader<CopiedKeys>(
  {},
  { [inDataFolder.linkKey]: keyIn(isLinkKey), [inDataFolder.codeKey]: keyIn(isKept) },
)

/** Reads a note that anybody may have written. */
const copyNote = reader<Partial<CopyNote>>({}, { at: storedTime, keys: keysIn })

/** What stands in a list or a copy. */
export function countsIn(sql: Sql): Counts {
  const count = (rows: string) => Number(sql(`SELECT count(*) AS n FROM ${rows}`).get()?.n)
  return {
    subscribers: count('persons WHERE number IS NOT NULL'),
    announcements: count('announcements'),
  }
}

/** Writes the note into a copy that was just made, and has no name yet. */
export function noteInCopy(file: string, { at, keys }: CopyNote): void {
  const inBase64 = Object.entries(keys).map(([name, bytes]) => [
    name,
    Buffer.from(bytes).toString('base64'),
  ])
  const db = new DatabaseSync(file)
  try {
    // One that is not whole has no name yet, so nothing has to be rolled back after a kill.
    db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON')
    putNote(connectionTo(db).sql, COPIED, { at, keys: Object.fromEntries(inBase64) })
  } finally {
    db.close()
  }
}

/**
 * Reads a whole copy, and changes nothing.
 *
 * @param isOurs whether only we can have made it. Of another its tables must be ours, so that nothing
 *   of somebody else's is run. @param named what the operator calls it.
 * @throws StoreUnavailable with the fault
 */
export function checkCopy(file: string, appId: string, isOurs: boolean, named = file): CheckedCopy {
  try {
    // Opening a pipe could wait for ever.
    if (!statSync(file).isFile()) throw new Broken('it is no ordinary file')
    const db = new DatabaseSync(file, {
      readOnly: true,
      defensive: true,
      limits: { length: LONGEST_CELL },
    })
    try {
      db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON')
      return check(db, named, appId, isOurs)
    } finally {
      db.close()
    }
  } catch (cause) {
    if (!(cause instanceof Broken || isOfTheFile(cause))) throw cause
    throw new StoreUnavailable(`${named} is no whole copy: ${(cause as Error).message}`, { cause })
  }
}

/** Why a copy is not used. */
class Broken extends Error {}

function check(db: DatabaseSync, file: string, appId: string, isOurs: boolean): CheckedCopy {
  const version = versionOf(db)
  if (version < 1) throw new Broken('it is no copy of a list')
  if (version !== newestVersion)
    throw new StoreUnavailable(
      `${file} is of version ${version}, and this program reads version ${newestVersion}: use the program that wrote it`,
    )
  if (!isOurs && !ourTables().includes(tablesOf(db))) throw new Broken('its tables are not ours')
  const { sql } = connectionTo(db)
  const [result] = Object.values(sql('PRAGMA integrity_check(1)').get() ?? {})
  if (result !== 'ok') throw new Broken(String(result))
  if (!isOurs) readAll(db)
  const product = noteIn(sql, 'appId')
  if (product !== appId)
    throw new StoreUnavailable(
      `${file} is a copy of the appId "${product}", and product.config.ts says "${appId}".`,
    )
  const bound = noteIn(sql, 'boundTo')
  const fingerprint = bound === undefined ? undefined : String(bound)
  const note = copyNote(noteIn(sql, COPIED))
  return { at: new Date(0), keys: {}, ...note, counts: countsIn(sql), fingerprint }
}

/** Fails at a cell that is longer than any of ours. */
function readAll(db: DatabaseSync): void {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  for (const { name } of tables) {
    const rows = db.prepare(`SELECT * FROM ${name}`)
    // Anybody may have written a number that is too large for JavaScript.
    rows.setReadBigInts(true)
    for (const _ of rows.iterate());
  }
}

/** All that SQLite would run of a file, to the byte, and how it reads texts. */
function tablesOf(db: DatabaseSync): string {
  const all = db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name')
  return JSON.stringify([db.prepare('PRAGMA encoding').get(), all.all()])
}

/** What Litestream adds to a list that it follows, to the byte: https://github.com/benbjohnson/litestream/blob/main/db.go */
const OF_LITESTREAM = `
  CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
  CREATE TABLE _litestream_lock (id INTEGER)`

/** Those of a list, and of one that Litestream follows. */
function ourTables(): string[] {
  const db = new DatabaseSync(':memory:')
  try {
    makeList(db, '')
    const ours = tablesOf(db)
    db.exec(OF_LITESTREAM)
    return [ours, tablesOf(db)]
  } finally {
    db.close()
  }
}
