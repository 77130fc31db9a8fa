import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { AddressIds } from '../../keys/address-id.ts'
import { checkSeal, type SealState } from '../../keys/seal-key.ts'
import type { Content, Copy, CopyReading } from '../backups.ts'
import type { Store } from '../store.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import { temporaryDatabase } from '../temporary-database.ts'
import { connectionTo } from './connection.ts'
import { latestTimeIn, refuseLater } from './copy-clock.ts'
import { type CopyDigest, copyDigest } from './copy-digest.ts'
import { type CopyNote, noteIn } from './copy-note.ts'
import { noteIn as listNoteIn } from './notes.ts'
import { isOfTheFile } from './outage.ts'
import { makeList, newestVersion, versionOf } from './versions.ts'

interface OpenCopy {
  /** Its rows, in a database of our own. */
  readonly db: DatabaseSync
  readonly copy: Copy
  readonly note: CopyNote
  readonly digest: Uint8Array
  readonly seal: SealState
  /** When it was made; if it does not say so, the latest time in it. */
  readonly madeAt: Date | undefined
  /** The latest time that its rows may have. */
  readonly asOf: Date
}

/** How the rows of a copy are restored. */
export interface Restoring {
  /** Gets what comes back. */
  readonly store: Store
  readonly addressIds: AddressIds
  readonly copy: DatabaseSync
  readonly asOf: Date
  readonly isBelieved: boolean
  /** Called with the number of further rows that were read. */
  readonly seen: (rows: number) => void
}

/** Longer than anything that we write. */
const LONGEST_CELL = 100_000
/**
 * The tables that are read of a copy; the others are about the machine that made it. The sealed
 * digest has them in this order, so a new one comes last.
 */
const tables = [
  ...['documents', 'notes', 'persons'],
  ...['announcements', 'deliveries', 'requests'],
  ...['visits', 'visitNames', 'visitsByName'],
  ...['invitationKeys', 'queue'],
]
/** Of the notes, those that are about the list. */
const notes = "name IN ('appId', 'boundTo', 'opening', 'hold')"

/**
 * Reads and checks a whole copy of our version. Anybody may have made it, so only the rows of our
 * own tables, which must be as we make them, are copied into a database of our own.
 *
 * @param work gets that database. @throws StoreUnavailable with the fault.
 */
export async function readCopy<T>(
  file: string,
  appId: string,
  fingerprint: string,
  work: (open: OpenCopy) => T | Promise<T>,
  { sealKey, clock = 'any' }: CopyReading = {},
): Promise<T> {
  const { db, note, digest } = takeOver(file, appId)
  try {
    refuseOther(db, file, appId, fingerprint)
    const madeAt = note.made?.at ?? latestTimeIn(db)
    if (clock === 'ours') refuseLater(file, madeAt)
    const asOf = new Date(Math.max(Date.now(), Number(madeAt ?? 0)))
    const count = (table: string) =>
      Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n)
    const copy = { subscribers: count('documents'), announcements: count('announcements') }
    const seal = checkSeal(note.seal, sealKey, digest)
    return await work({ db, copy, note, digest, seal, madeAt, asOf })
  } finally {
    db.close()
  }
}

/** Why a copy is not used. */
class Broken extends Error {}

interface TakenOver {
  readonly note: CopyNote
  readonly digest: Uint8Array
}

function takeOver(file: string, appId: string): TakenOver & { db: DatabaseSync } {
  const ours = temporaryDatabase('')
  try {
    return { db: ours, ...takeAll(file, ours, appId) }
  } catch (cause) {
    ours.close()
    throw brokenBecause(file, cause)
  }
}

/** Reads only the note of a copy. @throws StoreUnavailable with the fault. */
export function noteOf(file: string): CopyNote {
  try {
    const theirs = opened(file)
    try {
      return noteIn(theirs)
    } finally {
      theirs.close()
    }
  } catch (cause) {
    throw brokenBecause(file, cause)
  }
}

/**
 * The content of a copy of this list when it was made, by its note; the rows are not read.
 *
 * @returns `undefined` for a copy of another list, and for other files.
 */
export function contentOfOwn(
  file: string,
  appId: string,
  fingerprint: string,
): Content | undefined {
  const ours = temporaryDatabase('')
  try {
    const theirs = opened(file)
    try {
      makeList(ours, appId)
      // A view of that name could run foreign SQL.
      const making = (db: DatabaseSync) => makingOf(db, 'notes').table
      if (making(theirs) !== making(ours)) return undefined
      const isOwn = listNoteIn(connectionTo(theirs).sql, 'boundTo') === fingerprint
      return isOwn ? noteIn(theirs).made?.content : undefined
    } finally {
      theirs.close()
    }
  } catch (cause) {
    if (cause instanceof Broken || isOfTheFile(cause)) return undefined
    throw cause
  } finally {
    ours.close()
  }
}

const unreadable: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `There is no file ${file}`,
  EACCES: (file) => `${file}: this user may not read it`,
}

function brokenBecause(file: string, cause: unknown): unknown {
  if (!(cause instanceof Broken || isOfTheFile(cause))) return cause
  const { code = '', message } = cause as NodeJS.ErrnoException
  const reason = unreadable[code]?.(file) ?? `${file} is no whole copy: ${message}`
  return new StoreUnavailable(reason, { cause })
}

function opened(file: string): DatabaseSync {
  // Opening a pipe could wait for ever.
  if (!statSync(file).isFile()) throw new Broken('it is no ordinary file')
  const theirs = new DatabaseSync(file, {
    readOnly: true,
    defensive: true,
    limits: { length: LONGEST_CELL },
  })
  try {
    // In one transaction, since the file may be written to.
    theirs.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; BEGIN')
    return theirs
  } catch (cause) {
    theirs.close()
    throw cause
  }
}

function takeAll(file: string, ours: DatabaseSync, appId: string): TakenOver {
  const theirs = opened(file)
  try {
    const version = versionOf(theirs)
    if (version < 1) throw new Broken('it is no copy of a list')
    if (version !== newestVersion)
      throw new StoreUnavailable(
        `${file} is of version ${version}, and this program reads version ${newestVersion}: use the program that wrote it`,
      )
    makeList(ours, appId)
    const digest = copyDigest()
    for (const table of tables) takeRows(theirs, ours, table, digest)
    const note = noteIn(theirs)
    return { note, digest: digest.end(note) }
  } finally {
    theirs.close()
  }
}

function takeRows(
  theirs: DatabaseSync,
  ours: DatabaseSync,
  table: string,
  digest: CopyDigest,
): void {
  const [made, found] = [makingOf(ours, table), makingOf(theirs, table)]
  if (found.table !== made.table) throw new Broken(`its table ${table} is not as a backup has it`)
  // A foreign index or trigger is not run, not even for the check.
  const isOurs = [...found.others].every((sql) => made.others.has(sql))
  const [check] = theirs.prepare(`PRAGMA ${isOurs ? 'integrity' : 'quick'}_check(${table})`).all()
  const [result] = Object.values(check ?? {})
  if (result !== 'ok') throw new Broken(String(result))
  const columns = ours.prepare(`SELECT name FROM pragma_table_info('${table}')`).all()
  const names = columns.map(({ name }) => String(name))
  digest.table(table)
  // In the table's own order, which is the same on every machine.
  const which = table === 'notes' ? notes : 'true'
  const select = theirs.prepare(`SELECT ${names} FROM ${table} NOT INDEXED WHERE ${which}`)
  select.setReturnArrays(true)
  // Anybody may have written a number that is too large for JavaScript.
  select.setReadBigInts(true)
  const insert = ours.prepare(
    `INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?').join(', ')})`,
  )
  ours.exec(`DELETE FROM ${table}`)
  for (const row of select.iterate() as Iterable<unknown> as Iterable<bigint[]>) {
    digest.row(row)
    // The ids of documents are not used.
    if (table !== 'documents' && row.some(isTooLarge))
      throw new Broken(`a number in its table ${table} is too large`)
    insert.run(...row)
  }
}

function isTooLarge(value: unknown): boolean {
  return typeof value === 'bigint' && !Number.isSafeInteger(Number(value))
}

interface Making {
  readonly table: string | undefined
  /** Indexes, triggers, and views that have the name of a table. */
  readonly others: ReadonlySet<string>
}

/** The SQL of a table and what belongs to it. */
function makingOf(db: DatabaseSync, name: string): Making {
  const rows = db
    .prepare(
      `SELECT type, sql FROM sqlite_schema
       WHERE (tbl_name = :name OR name = :name) AND sql IS NOT NULL`,
    )
    .all({ name })
    .map(({ type, sql }) => ({ type, sql: plain(String(sql)) }))
  const others = rows.filter(({ type }) => type !== 'table').map(({ sql }) => sql)
  return { table: rows.find(({ type }) => type === 'table')?.sql, others: new Set(others) }
}

function plain(sql: string): string {
  return sql.replaceAll(/[\s"`]+/g, '')
}

function refuseOther(db: DatabaseSync, file: string, appId: string, fingerprint: string): void {
  const { sql } = connectionTo(db)
  const [bound, theirId] = [listNoteIn(sql, 'boundTo'), listNoteIn(sql, 'appId')]
  if (bound !== undefined && bound !== fingerprint)
    throw new StoreUnavailable(
      'The copy needs the LINK_KEY that it was made with: put that link.key back.',
    )
  if (theirId !== appId)
    throw new StoreUnavailable(
      `${file} is a copy of the appId "${theirId}", and product.config.ts says "${appId}".`,
    )
}
