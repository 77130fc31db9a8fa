import type { Subscriber } from '../../shared/subscriber.ts'
import { type MergedRecord, microseconds } from './firestore-records.ts'
import { temporaryDatabase } from './temporary-database.ts'

/** Sorts by time of sign-up, in memory that does not grow. */
export async function* inOrderOfSignUp(
  records: AsyncIterable<MergedRecord>,
): AsyncIterable<Subscriber> {
  const db = temporaryDatabase(
    'CREATE TABLE signUps (at INTEGER NOT NULL, email TEXT NOT NULL) STRICT',
  )
  try {
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
