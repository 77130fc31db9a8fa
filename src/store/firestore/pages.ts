import type { Query, QueryDocumentSnapshot } from '@google-cloud/firestore'
import type { FirestoreConnection } from './connection.ts'

const PAGE = 1000

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
