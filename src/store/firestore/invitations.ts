import { Timestamp } from '@google-cloud/firestore'
import type { Invitations } from '../invitations.ts'
import type { FirestoreConnection } from './connection.ts'
import type { FirestorePaths } from './paths.ts'
import { timeIn } from './stored-time.ts'

/** A document for each key, by the key. */
export function firestoreInvitations(
  { use }: FirestoreConnection,
  { invitationKeys }: FirestorePaths,
): Invitations {
  return {
    async keys() {
      const { docs } = await use(() => invitationKeys.orderBy('addedAt', 'desc').get())
      return docs.map((one) => ({ publicKey: one.id, until: timeIn(one.get('until')) }))
    },

    async keep(publicKey, until) {
      const place = invitationKeys.doc(publicKey)
      const known = await use(() => place.get())
      const addedAt = known.exists ? known.get('addedAt') : Timestamp.now()
      const later = Math.max(until.getTime(), timeIn(known.get('until')).getTime())
      await use(() => place.set({ addedAt, until: Timestamp.fromMillis(later) }))
    },
  }
}
