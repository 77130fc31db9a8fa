import { FieldValue, Timestamp } from '@google-cloud/firestore'
import { brakes, type HeldLetters } from '../../shared/held-letters.ts'
import type { Released } from '../brake.ts'
import type { Outbox } from '../outbox.ts'
import type { FirestoreConnection } from './connection.ts'
import { dueFieldOf } from './outbox-row.ts'
import { pagesOf } from './pages.ts'
import type { FirestorePaths } from './paths.ts'

const IN_A_TRANSACTION = 100

export function firestoreHeldLetters(
  { use, transaction }: FirestoreConnection,
  paths: FirestorePaths,
): Pick<Outbox, 'heldLetters' | 'releaseLetters'> {
  const { outbox } = paths

  return {
    async heldLetters() {
      const numbers = await Promise.all(
        brakes.map(async (name) => {
          const some = outbox.where('waitsFor', '==', name)
          return [name, (await use(() => some.count().get())).data().count] as const
        }),
      )
      return Object.fromEntries(numbers) as HeldLetters
    },

    async releaseLetters(brake) {
      const now = { [brake]: FieldValue.serverTimestamp() }
      await use(() => paths.released.set(now, { merge: true }))
      const until = (await use(() => paths.released.get())).get(brake) as Timestamp
      let released = 0
      const waiting = outbox.where('waitsFor', '==', brake)
      // One pass: letters that are asked for meanwhile may wait.
      for await (const docs of pagesOf({ use }, waiting, IN_A_TRANSACTION))
        if (docs.length > 0)
          released += await transaction(async (work) => {
            const rows = await work.getAll(...docs.map(({ ref }) => ref))
            const held = rows.filter(
              (row) => row.get('waitsFor') === brake && row.get('askedAt') <= until,
            )
            for (const row of held)
              work.update(row.ref, { [dueFieldOf(row)]: until, waitsFor: FieldValue.delete() })
            return held.length
          })
      return released
    },
  }
}

/** The times before which requested letters are released. */
export async function releasedIn(
  use: FirestoreConnection['use'],
  { released }: Pick<FirestorePaths, 'released'>,
): Promise<Released> {
  const fields = Object.entries((await use(() => released.get())).data() ?? {})
  return Object.fromEntries(
    fields.flatMap(([brake, at]) => (at instanceof Timestamp ? [[brake, at.toDate()]] : [])),
  )
}
