import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { ListLook } from '../list-file.ts'
import { versionOf } from './versions.ts'

/** Reads a list of any release, and changes nothing in it. */
export function lookAtFile(file: string): ListLook {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    db.exec('BEGIN')
    return {
      version: versionOf(db),
      ...subscribersOf(db),
      isAnnouncing: isAnnouncing(db),
    }
  } finally {
    db.close()
  }
}

/** The subscribers and their times, which every version holds in the same form. */
export function subscribersOf(db: DatabaseSync): Pick<ListLook, 'subscribers' | 'digest'> {
  const rows = db.prepare(`
    SELECT json_array(data ->> 'email', data ->> 'subscribedAt') AS row FROM documents
    ORDER BY data ->> 'email'`)
  const hash = createHash('sha256')
  let subscribers = 0
  for (const { row } of rows.iterate()) {
    hash.update(`${row}\n`)
    subscribers += 1
  }
  return { subscribers, digest: hash.digest('hex') }
}

function isAnnouncing(db: DatabaseSync): boolean {
  const held = db.prepare('SELECT 1 FROM runLock WHERE until > ?').get(new Date().toISOString())
  return held !== undefined
}
