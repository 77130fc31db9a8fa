import { FieldValue, type Transaction } from '@google-cloud/firestore'
import type { AddressIds } from '../../keys/address-id.ts'
import { batches } from '../../shared/batches.ts'
import type { SeenPerson } from '../event-changes.ts'
import {
  isDisowned,
  isQuarantinedBySignUp,
  isWaitingWithSigns,
  type Quarantine,
  toErase,
} from '../quarantine.ts'
import { isLiftedBySignUp, type Standing } from '../standing.ts'
import type { FirestoreConnection } from './connection.ts'
import type { FirestoreEventNotes } from './event-notes.ts'
import type { InTurn } from './in-turn.ts'
import { inForce, knownIn } from './known.ts'
import { pendingIn } from './outbox.ts'
import type { FirestorePaths } from './paths.ts'
import { type FirestoreRecords, recordsIn } from './records.ts'
import { type FirestoreStandings, MOST_REQUESTS } from './standings.ts'
import { unlessKept } from './unless-kept.ts'

/** Each takes four documents, of the 500 of a transaction. */
const RELEASED_AT_ONCE = 50

export interface FirestoreQuarantine extends Quarantine {
  /** Adds a sign-up with signs of a robot. @returns the id of its record. @throws StoreUnavailable */
  addSuspect(email: string, suspicion: string): Promise<string>
  /** Adds any other sign-up, of which other systems are told. @returns the id of its record. */
  addReported(email: string): Promise<string>
}

export function firestoreQuarantine(
  { transaction }: FirestoreConnection,
  paths: FirestorePaths,
  records: FirestoreRecords,
  standings: FirestoreStandings,
  addressIds: AddressIds,
  inTurn: InTurn,
  notes: FirestoreEventNotes,
): FirestoreQuarantine {
  const { entries } = standings

  const keptOf = (email: string) => paths.pending.doc(addressIds.of(email))

  async function look(work: Transaction, email: string) {
    const [entry, theirs, last] = await Promise.all([
      work.get(entries.doc(addressIds.of(email))),
      work.get(records.of(email).limit(1)),
      records.last(email, work),
    ])
    const standing = inForce(knownIn(entry), last)?.standing
    return { entry, standing, isOnList: recordsIn(theirs).length > 0 }
  }

  async function lookAtAll(work: Transaction, email: string) {
    const [found, kept, { docs }] = await Promise.all([
      look(work, email),
      work.get(keptOf(email)),
      work.get(paths.outbox.where('email', '==', email).limit(MOST_REQUESTS)),
    ])
    const pending = pendingIn(kept)
    const suspicions = docs.map((one): unknown => one.get('suspicion'))
    const requests = suspicions.map((one) => (typeof one === 'string' ? one : undefined))
    const isSure = docs.length < MOST_REQUESTS
    const what = isSure ? toErase({ ...found, pending, requests }) : undefined
    return { what, pending, kept: kept.ref, requests: docs.map(({ ref }) => ref) }
  }

  /**
   * Erases the requests to confirm of an address that stays on the list. @returns whether there
   * were any.
   */
  function eraseRequests(email: string) {
    return transaction(async (work) => {
      const { what, pending, kept, requests } = await lookAtAll(work, email)
      if (what !== 'request') return false
      for (const ref of requests) work.delete(ref)
      if (isWaitingWithSigns(pending)) work.delete(kept)
      return true
    })
  }

  return {
    async addSuspect(email, suspicion) {
      await standings.bind()
      const place = records.collection.doc()
      const subscribedAt = FieldValue.serverTimestamp()
      await inTurn(addressIds.of(email), () =>
        transaction(async (work) => {
          const { entry, standing, isOnList } = await look(work, email)
          const fields = isQuarantinedBySignUp(standing, isOnList)
            ? { quarantinedAt: subscribedAt, quarantinedDetail: suspicion }
            : {}
          // Both in one commit with one time, since only a later record lifts the quarantine.
          work.create(place, { email, subscribedAt })
          // As much is written for known addresses, so that the answer's time reveals nothing.
          work.set(entry.ref, fields, { merge: true })
        }).catch(unlessKept),
      )
      return place.id
    },

    async addReported(email) {
      await standings.bind()
      const place = records.collection.doc()
      const addressId = addressIds.of(email)
      await inTurn(addressId, () =>
        transaction(async (work) => {
          const [{ standing, isOnList }, note] = await Promise.all([
            look(work, email),
            notes.read(work, [addressId]),
          ])
          const before = { isOnList, standing, confirmedAt: undefined }
          const after = standing && isLiftedBySignUp(standing) ? undefined : standing
          work.create(place, { email, subscribedAt: FieldValue.serverTimestamp() })
          note(addressId, email, notes.between([before, seen(after)]))
        }).catch(unlessKept),
      )
      return place.id
    },

    async release(emails) {
      await standings.bind()
      const released: string[] = []
      for await (const some of batches(new Set(emails), RELEASED_AT_ONCE)) {
        const done = await transaction(async (work) => {
          const found = await Promise.all(
            some.map(async (email) => {
              const [{ standing }, kept] = await Promise.all([
                look(work, email),
                work.get(keptOf(email)),
              ])
              return standing === 'quarantined' && !isDisowned(standing, pendingIn(kept))
            }),
          )
          const held = some.filter((_, i) => found[i])
          const note = await notes.read(work, held.map(addressIds.of))
          for (const email of held) {
            const subscribedAt = FieldValue.serverTimestamp()
            work.set(entries.doc(addressIds.of(email)), { subscribedAt }, { merge: true })
            note(addressIds.of(email), email, notes.between([seen('quarantined'), seen(undefined)]))
          }
          return held
        })
        released.push(...done)
      }
      return released
    },

    async erase(emails) {
      const erased: string[] = []
      for (const email of new Set(emails)) {
        const ifStill = async (work: Transaction) => {
          const { what, requests } = await lookAtAll(work, email)
          return what === 'address' ? requests : undefined
        }
        const isErased = await standings.forgetIf(email, ifStill)
        if (isErased || (await eraseRequests(email))) erased.push(email)
      }
      return erased
    },
  }
}

/** How somebody on the list stands, apart from their consent. */
const seen = (standing: Standing | undefined): SeenPerson => ({
  isOnList: true,
  standing,
  confirmedAt: undefined,
})
