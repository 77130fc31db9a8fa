import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StoreMismatch } from '../subscriber-store.ts'

/*
 * A list is a file and, until it is closed, a log beside it, `…-wal`, with what is newest. SQLite opens
 * a file whose log was deleted, or was not copied with it, as it was some thousand pages ago: after a
 * first start, that is an empty list. So the file itself says that it needs its log: the mark is written
 * into the file, and taken back in the log alone. Read together they have none. Once the log is written
 * back, neither has the file.
 */

/** `OBel`, in the header's field for what a file is of: https://www.sqlite.org/fileformat.html#application_id */
const MARK = 0x4f42_656c
const MARK_AT = 68

/** Marks a file in use. Between two commits of another process it waits, as each write does. */
export function markLog(db: DatabaseSync): void {
  db.exec(`PRAGMA application_id = ${MARK}; PRAGMA wal_checkpoint(PASSIVE)`)
  unmarkLog(db)
}

/** Takes the mark back where nobody could after `markLog`, such as a process that was killed. */
export function unmarkLog(db: DatabaseSync): void {
  const { application_id: mark } = db.prepare('PRAGMA application_id').get() ?? {}
  if (mark === MARK) db.exec('PRAGMA application_id = 0')
}

/** @throws StoreMismatch for a list that would lose what is newest if it were opened, even to be read. */
export function mustBeWhole(file: string): void {
  const log = `${basename(file)}-wal`
  if (lacksLog(file))
    throw new StoreMismatch(
      `${file} is not whole: the newest part of the list stands in ${log}, which is missing. Put that file back beside it, or restore a copy. If there is none, an empty file of that name opens the list as it was before.`,
    )
  // SQLite would delete the log.
  if (lacksFile(file))
    throw new StoreMismatch(
      `${file} is missing or empty, and ${log} has the newest part of the list. Put the file back beside it, or restore a copy. If there is none, move ${log} away to begin an empty list.`,
    )
}

/** Whether the file, which nobody has open, needs a log that is not there. */
function lacksLog(file: string): boolean {
  if (!existsSync(file) || existsSync(`${file}-wal`)) return false
  const mark = Buffer.alloc(4)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, mark, 0, 4, MARK_AT)
  } finally {
    closeSync(handle)
  }
  return mark.readInt32BE() === MARK
}

/** Whether a log stands there without its file, which has its first page before the log has any. */
function lacksFile(file: string): boolean {
  const bytes = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return bytes(file) === 0 && bytes(`${file}-wal`) > 0
}
