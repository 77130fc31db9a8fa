import type { ListedSubscriber } from '../subscriber-list.ts'
import { temporaryDatabase } from '../temporary-database.ts'
import type { MergedRecord } from './address-scan.ts'
import { microseconds } from './records.ts'

/** The data of a subscriber beyond the record. */
type Beyond = Omit<ListedSubscriber, 'email' | 'subscribedAt'>

/** Sorts by time of sign-up, in bounded memory. */
export async function* inOrderOfSignUp(
  records: AsyncIterable<{ record: Pick<MergedRecord, 'email' | 'at'>; beyond: Beyond }>,
): AsyncIterable<ListedSubscriber> {
  const db = temporaryDatabase(
    'CREATE TABLE signUps (at INTEGER NOT NULL, email TEXT NOT NULL, beyond TEXT NOT NULL) STRICT',
  )
  try {
    const insert = db.prepare('INSERT INTO signUps (at, email, beyond) VALUES (?, ?, ?)')
    for await (const { record, beyond } of records)
      insert.run(microseconds(record.at), record.email, JSON.stringify(beyond))
    db.exec('COMMIT')
    const inOrder = db.prepare('SELECT at, email, beyond FROM signUps ORDER BY at, email')
    for (const row of inOrder.iterate()) {
      const beyond: Beyond = JSON.parse(String(row.beyond))
      yield {
        email: String(row.email),
        subscribedAt: new Date(Math.floor(Number(row.at) / 1000)),
        ...beyond,
        ...(beyond.standingAt && { standingAt: new Date(beyond.standingAt) }),
      }
    }
  } finally {
    db.close()
  }
}
