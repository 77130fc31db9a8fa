import { Timestamp } from '@google-cloud/firestore'
import type { ClaimedDelivery, ClaimWanted } from '../delivery-ledger.ts'
import type { FirestorePlaces } from './firestore-places.ts'
import { type FirestoreRecords, lastSignUp, recordsIn } from './firestore-records.ts'
import { dueFields, rowOf, settledAs } from './firestore-rows.ts'
import { type FirestoreSuppressions, inForce } from './firestore-suppressions.ts'
import type { WhileOwner } from './while-owner.ts'

const MOST_AT_ONCE = 100

/** Takes rows from the queue: looks for what is due, and takes of it what still is. */
export function firestoreClaim(
  { use, owned }: WhileOwner,
  places: FirestorePlaces,
  records: FirestoreRecords,
  { entries }: FirestoreSuppressions,
) {
  /** @returns how many rows were looked at, and those that were taken. */
  async function claimSome(owner: string, id: string, { limit, which }: ClaimWanted) {
    const field = dueFields[which]
    const due = await use(() =>
      places
        .deliveries(id)
        .where(field, '<=', Timestamp.now())
        .orderBy(field)
        .limit(Math.min(limit, MOST_AT_ONCE))
        .get(),
    )
    const claimed = await owned(owner, async (work) => {
      if (due.empty) return []
      const [rows, suppressed] = await Promise.all([
        work.getAll(...due.docs.map(({ ref }) => ref)),
        work.getAll(...due.docs.map((row) => entries.doc(row.id))),
      ])
      const isSuppressed = await Promise.all(
        rows.map(async (row, i) => {
          const [entry, email] = [suppressed[i], rowOf(row)?.email]
          if (!entry?.exists || email === undefined) return false
          const found = recordsIn(await work.get(records.of(email)))
          return inForce(entry, lastSignUp(found)) !== undefined
        }),
      )
      return rows.flatMap((document, i) => {
        const row = rowOf(document)
        if (row?.email === undefined || row[field] === undefined) return []
        if (isSuppressed[i]) {
          work.update(document.ref, settledAs('suppressed'))
          return []
        }
        const tries = row.tries + 1
        work.update(document.ref, { ...settledAs('sending'), tries, owner })
        return [{ addressId: document.id, email: row.email, tries }]
      })
    })
    return { seen: due.size, claimed }
  }

  /** One after the other: at the same time they would all want the same rows. */
  let last: Promise<unknown> = Promise.resolve()

  return (owner: string, id: string, { limit, which }: ClaimWanted): Promise<ClaimedDelivery[]> => {
    const claiming = last.then(async () => {
      const claimed: ClaimedDelivery[] = []
      for (;;) {
        const some = await claimSome(owner, id, { limit: limit - claimed.length, which })
        claimed.push(...some.claimed)
        if (some.seen === 0 || claimed.length >= limit) return claimed
      }
    })
    last = claiming.catch(() => {})
    return claiming
  }
}
