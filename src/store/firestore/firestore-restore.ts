import { Timestamp } from '@google-cloud/firestore'
import type { RestoreTarget } from '../restore-target.ts'
import type { FirestoreConnection } from './firestore-connection.ts'
import type { FirestorePlaces } from './firestore-places.ts'
import type { Row } from './firestore-rows.ts'
import type { FirestoreSuppressions } from './firestore-suppressions.ts'

export function firestoreRestore(
  { transaction }: FirestoreConnection,
  { announcements, deliveries }: FirestorePlaces,
  { bind, entries, forgottenAmong }: FirestoreSuppressions,
): RestoreTarget {
  return {
    async restoreSuppressions(restored) {
      await bind()
      if (restored.length === 0) return
      await transaction(async (work) => {
        const kept = await work.getAll(...restored.map(({ addressId }) => entries.doc(addressId)))
        for (const [i, { reason, at }] of restored.entries()) {
          const entry = kept[i]
          if (entry && !entry.exists)
            work.create(entry.ref, { [`${reason}At`]: Timestamp.fromDate(at) })
        }
      })
    },

    async restoreDeliveries(id, rows) {
      await bind()
      if (rows.length === 0) return
      await transaction(async (work) => {
        const gone = await forgottenAmong(
          work,
          rows.flatMap(({ email }) => email ?? []),
        )
        // Without a sign that leads to anybody, and the same each time.
        const places = rows.map(({ addressId, rowId }) =>
          deliveries(id).doc(gone.has(addressId) ? `restored-${rowId}` : addressId),
        )
        const kept = await work.getAll(...places)
        for (const [i, { addressId, email, status, tries, changedAt, answer }] of rows.entries()) {
          const place = kept[i]
          if (!place || place.exists) continue
          const common = { tries, changedAt: Timestamp.fromDate(changedAt) }
          const row: Row = gone.has(addressId)
            ? { ...common, status: 'forgotten' }
            : { ...common, status, ...(email && { email }), ...(answer && { answer }) }
          work.create(place.ref, row)
        }
      })
    },

    async restoreAnnouncement({ id, subject, digest, begunAt, cutOff, eligible }) {
      await bind()
      await transaction(async (work) => {
        const place = announcements.doc(id)
        if ((await work.get(place)).exists) return
        const times = { begunAt: Timestamp.fromDate(begunAt), cutOff: Timestamp.fromDate(cutOff) }
        work.create(place, { subject, digest, ...times, eligible: eligible ?? null })
      })
    },
  }
}
