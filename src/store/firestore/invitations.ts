import { type DocumentSnapshot, Timestamp } from '@google-cloud/firestore'
import { AnotherKey, type Invitation, type Invitations, invitationEnds } from '../invitations.ts'
import type { Restorable } from '../restore-target.ts'
import type { FirestoreConnection } from './connection.ts'
import { inTurns } from './in-turn.ts'
import { rowsIn } from './pages.ts'
import type { FirestorePaths } from './paths.ts'
import type { FirestoreStandings } from './standings.ts'
import { timeIn } from './stored-time.ts'

/** A document for each invitation, by its id, and one for the key. */
export function firestoreInvitations(
  { use, transaction }: FirestoreConnection,
  { invitations, invitationKey }: FirestorePaths,
  { bind, forgottenAmong }: FirestoreStandings,
): Invitations & Restorable<'invitations'> {
  const inTurn = inTurns()

  return {
    async issue(invitation, until, publicKey) {
      await bind()
      return transaction(async (work) => {
        const place = invitations.doc(invitation.id)
        const gone = await forgottenAmong(work, [invitation.email])
        if (gone.has(invitation.addressId)) return undefined
        const [kept, key] = (await work.getAll(place, invitationKey)) as [
          DocumentSnapshot,
          DocumentSnapshot,
        ]
        if ((keyIn(key) ?? publicKey) !== publicKey) throw new AnotherKey()
        if (!kept.exists) {
          work.create(place, fieldsOf(invitation))
          return invitation
        }
        const known = invitationOf(kept)
        if (known.ended || known.expiresAt >= until) return known
        const { expiresAt } = invitation
        work.update(place, { expiresAt: Timestamp.fromDate(expiresAt) })
        return { ...known, expiresAt }
      })
    },

    async *stream() {
      for await (const document of rowsIn({ use }, invitations)) yield invitationOf(document)
    },

    async to(addressId) {
      const { docs } = await use(() => invitations.where('addressId', '==', addressId).get())
      return docs.map(invitationOf).toSorted((a, b) => Number(a.issuedAt) - Number(b.issuedAt))
    },

    // One after another, since parallel transactions on one document wait for each other for long.
    end: (id, as) =>
      inTurn(id, () =>
        transaction(async (work) => {
          const kept = await work.get(invitations.doc(id))
          if (!kept.exists) return 'unknown'
          const { ended } = invitationOf(kept)
          if (ended) return ended.as
          work.update(kept.ref, { endedAs: as, endedAt: Timestamp.now() })
          return 'ended'
        }),
      ),

    async key() {
      return keyIn(await use(() => invitationKey.get()))
    },

    async setKey(publicKey) {
      await use(() => invitationKey.set({ publicKey }))
    },

    async restore(restored, publicKey) {
      await bind()
      await transaction(async (work) => {
        const gone = await forgottenAmong(
          work,
          restored.map(({ email }) => email),
        )
        const places = restored.map(({ id }) => invitations.doc(id))
        const [key, ...known] = await work.getAll(invitationKey, ...places)
        if (key && !key.exists && publicKey !== undefined) work.create(key.ref, { publicKey })
        for (const [i, invitation] of restored.entries()) {
          const { addressId, ended } = invitation
          const kept = known[i]
          if (!kept || gone.has(addressId)) continue
          if (!kept.exists) work.create(kept.ref, fieldsOf(invitation))
          else if (ended && !invitationOf(kept).ended)
            work.update(kept.ref, { endedAs: ended.as, endedAt: Timestamp.fromDate(ended.at) })
        }
      })
    },
  }
}

function keyIn(document: DocumentSnapshot): string | undefined {
  const kept: unknown = document.get('publicKey')
  return typeof kept === 'string' ? kept : undefined
}

function fieldsOf({ announcement, addressId, email, issuedAt, expiresAt, ended }: Invitation) {
  return {
    announcement,
    addressId,
    email,
    issuedAt: Timestamp.fromDate(issuedAt),
    expiresAt: Timestamp.fromDate(expiresAt),
    ...(ended && { endedAs: ended.as, endedAt: Timestamp.fromDate(ended.at) }),
  }
}

function invitationOf(document: DocumentSnapshot): Invitation {
  const text = (name: string) => String(document.get(name))
  const time = (name: string) => timeIn(document.get(name))
  const end: unknown = document.get('endedAs')
  const as = invitationEnds.find((one) => one === end) ?? (end ? 'revoked' : undefined)
  return {
    id: document.id,
    announcement: text('announcement'),
    addressId: text('addressId'),
    email: text('email'),
    issuedAt: time('issuedAt'),
    expiresAt: time('expiresAt'),
    ...(as && { ended: { as, at: time('endedAt') } }),
  }
}
