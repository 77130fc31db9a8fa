import { FieldPath, type QueryDocumentSnapshot } from '@google-cloud/firestore'
import { temporaryDatabase } from '../temporary-database.ts'
import type { FirestoreConnection } from './connection.ts'
import { type Known, knownIn } from './known.ts'
import type { FirestorePaths } from './paths.ts'

const PAGE = 2000

/** All that is known of addresses, as of now, in memory that does not grow. */
export interface KnownBeyond {
  /** Whether there is any of it: else no address has to be named. */
  readonly isAny: boolean
  of(addressId: string): Known
  close(): void
}

/** Reads all of it at once, which costs less than a read for each subscriber. @throws StoreUnavailable */
export async function knownBeyond(
  { use }: FirestoreConnection,
  { suppressions }: FirestorePaths,
): Promise<KnownBeyond> {
  const db = temporaryDatabase(
    'CREATE TABLE known (addressId TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID',
  )
  const insert = db.prepare('INSERT OR REPLACE INTO known (addressId, json) VALUES (?, ?)')
  const inOrder = suppressions.orderBy(FieldPath.documentId()).limit(PAGE)
  let last: QueryDocumentSnapshot | undefined
  let isAny = false
  for (;;) {
    const page = await use(() => (last ? inOrder.startAfter(last.id) : inOrder).get())
    for (const document of page.docs) insert.run(document.id, JSON.stringify(knownIn(document)))
    isAny ||= page.size > 0
    last = page.docs.at(-1)
    if (page.size < PAGE) break
  }
  db.exec('COMMIT')
  const find = db.prepare('SELECT json FROM known WHERE addressId = ?')
  return {
    isAny,
    of(addressId) {
      const row = find.get(addressId)
      return row ? (JSON.parse(String(row.json)) as Known) : knownIn(undefined)
    },
    close: () => db.close(),
  }
}
