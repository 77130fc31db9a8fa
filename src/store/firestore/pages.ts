import type {
  DocumentReference,
  Query,
  QueryDocumentSnapshot,
  WriteBatch,
} from '@google-cloud/firestore'
import type { FirestoreConnection } from './connection.ts'

const PAGE = 1000
/** Of the 500 writes that Firestore takes in a commit. */
export const IN_A_BATCH = 400

type Use = Pick<FirestoreConnection, 'use'>

/** The documents of a query in its order, or else in that of their ids, in constant memory. */
export async function* pagesOf(
  { use }: Use,
  query: Query,
  size = PAGE,
): AsyncIterable<QueryDocumentSnapshot[]> {
  let next = query.limit(size)
  for (;;) {
    const { docs } = await use(() => next.get())
    yield docs
    const last = docs.at(-1)
    if (!last || docs.length < size) return
    next = query.startAfter(last).limit(size)
  }
}

/** The same one by one. */
export async function* rowsIn(connection: Use, query: Query): AsyncIterable<QueryDocumentSnapshot> {
  for await (const page of pagesOf(connection, query)) yield* page
}

/** @param erase takes a document out of the query. */
export async function eraseAll(
  { db, use }: Pick<FirestoreConnection, 'db' | 'use'>,
  query: Query,
  erase = (batch: WriteBatch, ref: DocumentReference) => batch.delete(ref),
): Promise<void> {
  for (;;) {
    const { docs } = await use(() => query.limit(IN_A_BATCH).get())
    const batch = db.batch()
    for (const { ref } of docs) erase(batch, ref)
    if (docs.length > 0) await use(() => batch.commit())
    if (docs.length < IN_A_BATCH) return
  }
}
