import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { ListLook } from '../list-file.ts'
import { versionOf } from './versions.ts'

/** How long after its time a wave may begin, with the pre-flight before it. */
const LATE_MS = 10 * 60_000

/** Reads a list of any release, and changes nothing in it. */
export function lookAtFile(file: string): ListLook {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    db.exec('BEGIN')
    return {
      version: versionOf(db),
      ...subscribersOf(db),
      isAnnouncing: isAnnouncing(db),
      nextWaveAt: nextWaveAt(db),
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

/**
 * A command that waits for a wave holds no lock. Some time after that wave, none waits any more.
 */
function nextWaveAt(db: DatabaseSync): string | undefined {
  const columns = db.prepare(
    `SELECT 1 FROM pragma_table_info('announcements') WHERE name = 'waves'`,
  )
  if (!columns.get()) return undefined
  const due = db
    .prepare(`
      SELECT max(waves ->> 'nextAt') AS at FROM announcements
      WHERE waves ->> 'endedAt' IS NOT NULL AND NOT waves ->> 'isLast'`)
    .get()?.at
  return typeof due === 'string' && Date.parse(due) + LATE_MS > Date.now() ? due : undefined
}
