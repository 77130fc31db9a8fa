import { DatabaseSync } from 'node:sqlite'
import type { Subscriber } from '../../shared/subscriber.ts'
import { type MergedRecord, microseconds } from './firestore-records.ts'

/**
 * Sorts by time of sign-up, in memory that does not grow: what does not fit goes into a temporary
 * file of SQLite's own, which nobody else may open, has no name, and is gone whatever happens to us.
 */
export async function* inOrderOfSignUp(
  records: AsyncIterable<MergedRecord>,
): AsyncIterable<Subscriber> {
  // No name: a temporary file.
  const db = new DatabaseSync('')
  try {
    db.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA temp_store = FILE;
      CREATE TABLE signUps (at INTEGER NOT NULL, email TEXT NOT NULL) STRICT;
      BEGIN`)
    const insert = db.prepare('INSERT INTO signUps VALUES (?, ?)')
    for await (const { at, email } of records) insert.run(microseconds(at), email)
    db.exec('COMMIT')
    for (const row of db.prepare('SELECT at, email FROM signUps ORDER BY at, email').iterate())
      yield {
        email: String(row.email),
        subscribedAt: new Date(Math.floor(Number(row.at) / 1000)),
      }
  } finally {
    db.close()
  }
}
