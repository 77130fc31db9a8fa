import { FieldValue, Timestamp } from '@google-cloud/firestore'
import type { AddressIds } from '../../keys/address-id.ts'
import { batches } from '../../shared/batches.ts'
import type { DeliveryLedger, DeliveryResult, DeliveryStatus } from '../delivery-ledger.ts'
import { LockLost } from '../run-lock.ts'
import type { SubscriberList } from '../subscriber-list.ts'
import { firestoreAnnouncements } from './announcements.ts'
import { claiming, firestoreClaim } from './claim.ts'
import type { FirestoreConnection } from './connection.ts'
import { firestoreDeliveries } from './deliveries.ts'
import type { FirestoreEventNotes } from './event-notes.ts'
import { rowsIn } from './pages.ts'
import type { FirestorePaths } from './paths.ts'
import type { FirestoreRecords } from './records.ts'
import { changeBy, dueFields, queuedAt, type Row, rowOf, settledAs, toldBy } from './rows.ts'
import type { FirestoreStandings } from './standings.ts'
import { timeIn } from './stored-time.ts'
import { whileOwner } from './while-owner.ts'

/** Under Firestore's 500 writes a transaction. */
const BATCH = 400

/** A fifth of what the free plan allows a day. */
const MOST_READ_DAILY = 10_000

export function firestoreLedger(
  connection: FirestoreConnection,
  paths: FirestorePaths,
  records: FirestoreRecords,
  standings: FirestoreStandings,
  list: SubscriberList,
  addressIds: AddressIds,
  notes: FirestoreEventNotes,
): DeliveryLedger {
  const { use } = connection
  const { deliveries } = paths
  const whoOwns = whileOwner(connection, paths.runLock, standings)
  const { owned } = whoOwns
  const announcements = firestoreAnnouncements(connection, paths, list, whoOwns)

  /** Changes all rows of a status, some hundred at a time. @returns how many. */
  async function changeAll(
    owner: string,
    id: string,
    status: DeliveryStatus,
    changeOf: (row: Row) => object | undefined,
  ): Promise<number> {
    async function* wanted() {
      for await (const document of rowsIn(connection, deliveries(id).where('status', '==', status)))
        if (changeOf(document.data() as Row)) yield document.ref
    }
    // Throws LockLost even when there is nothing to change.
    await owned(owner, async () => {})
    let changed = 0
    for await (const refs of batches(wanted(), BATCH))
      changed += await owned(owner, async (transaction) => {
        const rows = await transaction.getAll(...refs)
        const toChange = rows.flatMap((document) => {
          const row = rowOf(document)
          const fields = row?.status === status ? changeOf(row) : undefined
          return fields ? { ref: document.ref, fields } : []
        })
        for (const { ref, fields } of toChange) transaction.update(ref, fields)
        return toChange.length
      })
    return changed
  }

  const claim = firestoreClaim(connection, paths, records, standings, notes)

  async function record(owner: string, id: string, results: readonly DeliveryResult[]) {
    if (results.length === 0) return
    await connection.transaction(async (transaction) => {
      const rows = await transaction.getAll(
        ...results.map(({ addressId }) => deliveries(id).doc(addressId)),
      )
      const told = toldBy(results, rows, owner)
      const note = await notes.read(
        transaction,
        told.map(({ addressId }) => addressId),
      )
      for (const [i, result] of results.entries()) {
        const document = rows[i]
        const change = document && changeBy(result, rowOf(document), owner)
        if (change) transaction.update(document.ref, change)
      }
      for (const { addressId, email } of told) note(addressId, email, ['told'])
    })
  }

  return {
    claiming,
    mostReadDaily: MOST_READ_DAILY,
    ...announcements,
    ...firestoreDeliveries(connection, paths, addressIds, announcements.announcements),

    enlist: (owner, id, wanted) =>
      owned(owner, async (transaction) => {
        if (wanted.length === 0) return 0
        const subscribers = [...new Map(wanted.map((one) => [one.email, one])).values()]
        const emails = subscribers.map(({ email }) => email)
        const [rows, gone] = await Promise.all([
          transaction.getAll(...emails.map((email) => deliveries(id).doc(addressIds.of(email)))),
          standings.forgottenAmong(transaction, emails),
        ])
        let added = 0
        for (const [i, one] of subscribers.entries()) {
          const { email, subscribedAt, dueAt = subscribedAt, leftOut } = one
          const row = rows[i]
          if (!row || row.exists || gone.has(row.id)) continue
          const { status, changedAt } = queuedAt(dueAt, 0)
          const due = { status, untriedDueAt: Timestamp.fromDate(dueAt) }
          const place = leftOut ? { status: 'suppressed', standing: leftOut } : due
          transaction.create(row.ref, { email, tries: 0, changedAt, ...place })
          added += 1
        }
        return added
      }),

    async claim(owner, id, wanted, ended = []) {
      try {
        return await claim(owner, id, wanted, ended)
      } catch (error) {
        if (error instanceof LockLost) await record(owner, id, ended)
        throw error
      }
    },

    record,

    async nextRetry(id) {
      const inOrder = deliveries(id).orderBy(dueFields.tried).limit(1)
      const { docs } = await use(() => inOrder.get())
      return docs[0] && timeIn(docs[0].get(dueFields.tried))
    },

    settle: (owner, id) =>
      changeAll(owner, id, 'sending', (row) =>
        row.owner === owner ? undefined : settledAs('uncertain'),
      ),

    requeue: (owner, id, status) =>
      changeAll(owner, id, status, (row) => {
        const tries = Math.max(1, row.tries)
        return { ...queuedAt(new Date(), tries), tries, owner: null }
      }),

    decideAgain: (owner, id, people, leftOutAs) =>
      owned(owner, async (transaction) => {
        if (people.length === 0) return
        const refs = people.map(({ email }) => deliveries(id).doc(addressIds.of(email)))
        for (const [i, document] of (await transaction.getAll(...refs)).entries()) {
          const row = rowOf(document)
          if (row?.status !== 'suppressed' || row.standing !== leftOutAs) continue
          const { leftOut, dueAt = new Date() } = people[i] ?? {}
          const change = leftOut
            ? { ...settledAs('suppressed'), standing: leftOut }
            : { ...queuedAt(dueAt, 0), standing: FieldValue.delete() }
          transaction.update(document.ref, change)
        }
      }),
  }
}
