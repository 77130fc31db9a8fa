import { Timestamp } from '@google-cloud/firestore'
import type { RestoreTarget } from '../restore-target.ts'
import type { FirestoreConnection } from './connection.ts'
import { afterHearing, fieldsOf, inForce, knownIn, withExtra } from './known.ts'
import type { FirestorePaths } from './paths.ts'
import { withoutErased } from './referrals.ts'
import type { Row } from './rows.ts'
import type { FirestoreStandings } from './standings.ts'

export function firestoreRestore(
  { transaction }: FirestoreConnection,
  { announcements, deliveries }: FirestorePaths,
  { bind, entries, forgottenAmong }: FirestoreStandings,
): Pick<RestoreTarget, 'known' | 'deliveries' | 'announcement'> {
  return {
    async known(restored) {
      await bind()
      if (restored.length === 0) return
      await transaction(async (work) => {
        const kept = await work.getAll(...restored.map(({ addressId }) => entries.doc(addressId)))
        const extras = await withoutErased(
          work,
          entries,
          restored.map(({ extra }) => extra),
        )
        for (const [i, { standing }] of restored.entries()) {
          const before = knownIn(kept[i])
          const heard = standing ? afterHearing(before, standing) : before
          const isForgotten = inForce(heard, undefined)?.standing === 'forgotten'
          const known = isForgotten ? heard : withExtra(heard, extras[i])
          if (known !== before && kept[i]) work.set(kept[i].ref, fieldsOf(known), { merge: true })
        }
      })
    },

    async deliveries(id, rows) {
      await bind()
      if (rows.length === 0) return
      await transaction(async (work) => {
        const gone = await forgottenAmong(
          work,
          rows.flatMap(({ email }) => email ?? []),
        )
        // The row id of a forgotten address cannot be derived from it. The id is the same each
        // time, so that a second restore adds no row.
        const refs = rows.map(({ addressId, rowId }) =>
          deliveries(id).doc(gone.has(addressId) ? `restored-${rowId}` : addressId),
        )
        const kept = await work.getAll(...refs)
        for (const [i, row] of rows.entries()) {
          const { addressId, email, status, tries, changedAt, answer, standing, language } = row
          const place = kept[i]
          if (!place || place.exists) continue
          const common = { tries, changedAt: Timestamp.fromDate(changedAt) }
          const said = {
            ...(answer && { answer }),
            ...(standing && { standing }),
            ...(language && { language }),
          }
          const restored: Row = gone.has(addressId)
            ? { ...common, status: 'forgotten' }
            : { ...common, status, ...(email && { email }), ...said }
          work.create(place.ref, restored)
        }
      })
    },

    async announcement({ id, subject, digest, begunAt, cutOff, eligible }) {
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
