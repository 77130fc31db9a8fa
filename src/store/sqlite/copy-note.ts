import { DatabaseSync } from 'node:sqlite'
import { isInvitationKey } from '../../keys/invitation-key.ts'
import { isLinkKey } from '../../keys/link-key.ts'
import type { Seal } from '../../keys/seal-key.ts'
import { isSessionKey } from '../../keys/session-key.ts'
import { storedTime } from '../../shared/stored-time.ts'
import type { Content, CopiedKeys } from '../backups.ts'
import { contentIn, contentOf } from './content.ts'
import { isOfTheFile } from './outage.ts'

/** The note in a copy beside the list: when it was made, its content then, keys, and its seal. */
export interface CopyNote {
  readonly made: { readonly at: Date; readonly content: Content } | undefined
  readonly keys: CopiedKeys
  readonly seal: Seal | undefined
}

const tables = {
  copied: 'CREATE TABLE copied (at TEXT NOT NULL, content TEXT NOT NULL) STRICT',
  copiedKeys: 'CREATE TABLE copiedKeys (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT',
  copySeal: 'CREATE TABLE copySeal (keyId TEXT NOT NULL, mac BLOB NOT NULL) STRICT',
}

/** The valid bytes of each key; a broken key in place of a good one would stop the server. */
const keyRules = new Map([
  ['link.key', isLinkKey],
  ['session.key', isSessionKey],
  ['invitation.key', isInvitationKey],
])

/** Puts a note into a copy that was just written. @returns the content of the copy. */
export function noteInCopy(file: string, keys: CopiedKeys, at: Date): Content {
  return written(file, (db) => {
    for (const sql of Object.values(tables)) db.exec(sql)
    const content = contentOf((text) => db.prepare(text))
    db.prepare('INSERT INTO copied VALUES (?, ?)').run(at.toISOString(), JSON.stringify(content))
    const insert = db.prepare('INSERT INTO copiedKeys VALUES (?, ?)')
    for (const [name, bytes] of Object.entries(keys)) insert.run(name, bytes)
    return content
  })
}

/** Seals a copy that was noted and read back. */
export function sealCopy(file: string, { keyId, mac }: Seal): void {
  written(file, (db) => db.prepare('INSERT INTO copySeal VALUES (?, ?)').run(keyId, mac))
}

function written<T>(file: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file)
  try {
    // A copy that is not whole has no name yet, so nothing has to be rolled back after a kill.
    db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN')
    const result = work(db)
    db.exec('COMMIT')
    return result
  } finally {
    db.close()
  }
}

/**
 * Reads the note of an opened copy, which anybody may have written. An unreadable note is ignored,
 * since the list in the copy is worth more.
 */
export function noteIn(db: DatabaseSync): CopyNote {
  try {
    return { made: madeIn(db), keys: keysIn(db), seal: sealIn(db) }
  } catch (cause) {
    if (!isOfTheFile(cause)) throw cause
    return { made: undefined, keys: {}, seal: undefined }
  }
}

function madeIn(db: DatabaseSync): CopyNote['made'] {
  if (!isOurs(db, 'copied')) return undefined
  const row = db.prepare('SELECT at, content FROM copied LIMIT 1').get()
  const [at, content] = [storedTime(row?.at), contentIn(row?.content)]
  return at && content ? { at, content } : undefined
}

function keysIn(db: DatabaseSync): CopiedKeys {
  if (!isOurs(db, 'copiedKeys')) return {}
  const rows = db.prepare('SELECT name, bytes FROM copiedKeys LIMIT 9').all()
  return Object.fromEntries(
    rows.flatMap(({ name, bytes }) =>
      bytes instanceof Uint8Array && keyRules.get(String(name))?.(bytes)
        ? [[String(name), bytes]]
        : [],
    ),
  )
}

function sealIn(db: DatabaseSync): Seal | undefined {
  if (!isOurs(db, 'copySeal')) return undefined
  const { keyId, mac } = db.prepare('SELECT keyId, mac FROM copySeal LIMIT 1').get() ?? {}
  return mac instanceof Uint8Array ? { keyId: String(keyId), mac } : undefined
}

/** Whether a table is as we make it: another one, or a view of that name, could run foreign SQL. */
function isOurs(db: DatabaseSync, name: keyof typeof tables): boolean {
  const found = db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').all(name)
  return found.length === 1 && found[0]?.sql === tables[name]
}
