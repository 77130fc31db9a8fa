import type { DocumentReference } from '@google-cloud/firestore'
import { holdFrom, type ListHolds, textOfHold } from '../list-hold.ts'
import type { FirestoreConnection } from './connection.ts'

export function firestoreListHold(
  { use, transaction }: FirestoreConnection,
  ref: DocumentReference,
): ListHolds {
  return {
    async get() {
      const document = await use(() => ref.get())
      return document.exists ? holdFrom(document.get('hold') ?? '') : undefined
    },

    begin: (hold) =>
      transaction(async (work) => {
        if (!(await work.get(ref)).exists) work.create(ref, { hold: textOfHold(hold) })
      }),

    end: () =>
      transaction(async (work) => {
        const isHeld = (await work.get(ref)).exists
        if (isHeld) work.delete(ref)
        return isHeld
      }),
  }
}
