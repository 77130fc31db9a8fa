import {
  type CollectionReference,
  type DocumentSnapshot,
  FieldValue,
  type Transaction,
} from '@google-cloud/firestore'
import type { Extra } from '../extra.ts'
import { referralIn, withoutReferral } from '../referral.ts'
import { objectIn } from '../stored-json.ts'
import type { FirestoreConnection } from './connection.ts'
import { inForce, knownIn } from './known.ts'
import { IN_A_BATCH } from './pages.ts'
import type { FirestorePaths } from './paths.ts'

/** Erases that somebody brought others, wherever it stands. */
export async function eraseReferralsBy(
  { use, transaction }: Pick<FirestoreConnection, 'use' | 'transaction'>,
  { outbox, pending, suppressions }: FirestorePaths,
  addressId: string,
): Promise<void> {
  for (const collection of [outbox, pending, suppressions]) {
    const theirs = collection.where('broughtBy', '==', addressId).limit(IN_A_BATCH)
    for (;;) {
      const { docs } = await use(() => theirs.get())
      if (docs.length === 0) break
      await transaction(async (work) => {
        const found = await work.getAll(...docs.map(({ ref }) => ref))
        for (const one of found)
          if (one.get('broughtBy') === addressId) work.update(one.ref, withoutIt(one))
      })
    }
  }
}

function withoutIt(document: DocumentSnapshot) {
  const fields: Record<string, unknown> = { broughtBy: FieldValue.delete() }
  const data = objectIn(document.get('data'))
  const extra = objectIn(document.get('extra'))
  if (data) fields.data = JSON.stringify({ ...data, broughtBy: undefined })
  if (extra) fields.extra = JSON.stringify(withoutReferral(extra))
  return fields
}

/** Data of a file or a copy, without who brought them where that one was erased here. */
export async function withoutErased(
  work: Transaction,
  entries: CollectionReference,
  extras: readonly (Extra | undefined)[],
): Promise<(Extra | undefined)[]> {
  const by = [...new Set(extras.flatMap((extra) => referralIn(extra)?.by ?? []))]
  if (by.length === 0) return [...extras]
  const owners = await work.getAll(...by.map((id) => entries.doc(id)))
  const isErased = (one: DocumentSnapshot) =>
    inForce(knownIn(one), undefined)?.standing === 'forgotten'
  const erased = new Set(owners.filter(isErased).map(({ id }) => id))
  return extras.map((extra) => {
    const owner = referralIn(extra)?.by
    return extra && owner && erased.has(owner) ? withoutReferral(extra) : extra
  })
}
