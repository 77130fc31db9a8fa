import { FieldPath, type Query } from '@google-cloud/firestore'
import { standings } from '../standing.ts'
import { temporaryDatabase } from '../temporary-database.ts'
import type { FirestoreConnection } from './connection.ts'
import { type Known, knownIn } from './known.ts'
import { pagesOf } from './pages.ts'
import type { FirestorePaths } from './paths.ts'

const PAGE = 2000
const LATEST = 1000

interface Question {
  /** In an order. */
  readonly query: Query
  readonly most?: number
}

/** The standings and other data of addresses, as of now, in constant memory. */
export interface KnownBeyond {
  /** Whether there is any; otherwise no address has to be looked up. */
  readonly isAny: boolean
  of(addressId: string): Known
  close(): void
}

/** All entries: reading them at once costs less than a read for each subscriber. */
export function allIn({ suppressions }: FirestorePaths): Question {
  return { query: suppressions.orderBy(FieldPath.documentId()) }
}

/**
 * The entries for counting or showing the list. A forgotten address is nearly always gone from the
 * list; only one that signed up a moment before may still be there. So the last ones are enough.
 */
export function departuresIn({ suppressions }: FirestorePaths): Question[] {
  return standings
    .filter((standing) => standing !== 'subscribed')
    .map((standing) => ({
      query: suppressions.orderBy(`${standing}At`, 'desc'),
      ...(standing === 'forgotten' && { most: LATEST }),
    }))
}

/** @param questions the queries to read. @throws StoreUnavailable */
export async function knownBeyond(
  connection: FirestoreConnection,
  questions: readonly Question[],
): Promise<KnownBeyond> {
  const db = temporaryDatabase(
    'CREATE TABLE known (addressId TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT, WITHOUT ROWID',
  )
  const insert = db.prepare('INSERT OR REPLACE INTO known (addressId, json) VALUES (?, ?)')
  let isAny = false
  for (const { query, most = Number.POSITIVE_INFINITY } of questions) {
    for await (const page of pagesOf(connection, query, Math.min(PAGE, most))) {
      for (const document of page) insert.run(document.id, JSON.stringify(knownIn(document)))
      isAny ||= page.length > 0
      if (page.length >= most) break
    }
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
