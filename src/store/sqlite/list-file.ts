import { DatabaseSync } from 'node:sqlite'

/** Whether an announcement from this list is under way. Changes nothing in it. */
export function isAnnouncingFrom(file: string): boolean {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    const held = db.prepare('SELECT 1 FROM runLock WHERE until > ?').get(new Date().toISOString())
    return held !== undefined
  } finally {
    db.close()
  }
}
