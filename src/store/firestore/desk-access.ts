import type { DocumentReference } from '@google-cloud/firestore'
import { type DeskAccess, deskAccessFrom, swept } from '../desk-access.ts'
import type { FirestoreConnection } from './connection.ts'
import { inTurns } from './in-turn.ts'

/** One document, so that a look costs one read. */
export function firestoreDeskAccess(
  { use, transaction }: FirestoreConnection,
  ref: DocumentReference,
): DeskAccess {
  const inTurn = inTurns()

  return {
    read: async () => deskAccessFrom((await use(() => ref.get())).get('data')),

    // One after another, since parallel transactions on one document wait for each other for long.
    change: (decide) =>
      inTurn('', () =>
        transaction(async (work) => {
          const found = await work.get(ref)
          const now = found.readTime.toMillis()
          const { result, state } = decide(swept(deskAccessFrom(found.get('data')), now), now)
          if (state) work.set(ref, { data: JSON.stringify(state) })
          return result
        }),
      ),
  }
}
