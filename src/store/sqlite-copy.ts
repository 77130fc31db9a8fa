import { chmodSync, closeSync, fsyncSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from './subscriber-store.ts'

/** What a copy holds. */
export interface Copy {
  readonly subscribers: number
  readonly announcements: number
}

interface OpenCopy {
  readonly db: DatabaseSync
  readonly copy: Copy
}

/** Reads a copy through before it is used. @param work is given the copy, to read only. */
export async function readCopy<T>(
  file: string,
  fingerprint: string,
  work: (open: OpenCopy) => T | Promise<T>,
): Promise<T> {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly: true })
    const copy = examine(db, fingerprint)
    return await work({ db, copy })
  } catch (cause) {
    if (cause instanceof StoreUnavailable) throw cause
    throw new StoreUnavailable(`${file} is no whole copy: ${(cause as Error).message}`, { cause })
  } finally {
    db?.close()
  }
}

/** @throws with what is wrong. */
function examine(db: DatabaseSync, fingerprint: string): Copy {
  const found = db.prepare('PRAGMA integrity_check').get()?.integrity_check
  if (found !== 'ok') throw new Error(String(found))
  const bound = db.prepare('SELECT fingerprint FROM boundTo').get()
  if (bound && bound.fingerprint !== fingerprint)
    throw new StoreUnavailable('The copy was made with another LINK_KEY: put its link.key back.')
  const count = (sql: string) => Number(db.prepare(sql).get()?.n)
  return {
    subscribers: count('SELECT count(*) AS n FROM documents'),
    announcements: count('SELECT count(*) AS n FROM announcements'),
  }
}

/** Makes a fresh copy one file that survives a power failure, for its owner only. */
export function settleCopy(file: string): void {
  chmodSync(file, 0o600)
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = DELETE')
  db.close()
  const handle = openSync(file, 'r+')
  fsyncSync(handle)
  closeSync(handle)
}
