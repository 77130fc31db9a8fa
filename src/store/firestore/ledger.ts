import {
  type DocumentSnapshot,
  FieldPath,
  FieldValue,
  type Query,
  type QueryDocumentSnapshot,
  Timestamp,
  type Transaction,
} from '@google-cloud/firestore'
import type { AddressIds } from '../../keys/address-id.ts'
import { batches } from '../../shared/batches.ts'
import {
  type Announcement,
  type Delivery,
  type DeliveryLedger,
  type DeliveryResult,
  type DeliveryStatus,
  deliveryStatuses,
  noSuppressions,
  type Tally,
} from '../delivery-ledger.ts'
import { LockLost } from '../run-lock.ts'
import type { SubscriberList } from '../subscriber-list.ts'
import { claiming, firestoreClaim } from './claim.ts'
import type { FirestoreConnection } from './connection.ts'
import type { FirestorePaths } from './paths.ts'
import type { FirestoreRecords } from './records.ts'
import {
  changeBy,
  dueFields,
  queuedAt,
  type Row,
  rowOf,
  settledAs,
  standingIn,
  toDelivery,
} from './rows.ts'
import type { FirestoreStandings } from './standings.ts'
import { whileOwner } from './while-owner.ts'

const PAGE = 1000
/** Under Firestore's 500 writes a transaction. */
const BATCH = 400

export function firestoreLedger(
  connection: FirestoreConnection,
  paths: FirestorePaths,
  records: FirestoreRecords,
  standings: FirestoreStandings,
  list: SubscriberList,
  addressIds: AddressIds,
): DeliveryLedger {
  const { db, use } = connection
  const { announcements, deliveries } = paths
  const { owned } = whileOwner(connection, paths.runLock, standings)

  const withStatus = (id: string, status: DeliveryStatus) =>
    deliveries(id).where('status', '==', status)

  async function find(id: string): Promise<Announcement | undefined> {
    const document = await use(() => announcements.doc(id).get())
    return document.exists ? toAnnouncement(document) : undefined
  }

  /** Changes an announcement. @returns it as it is then. */
  async function change(
    owner: string,
    id: string,
    work: (transaction: Transaction, document: DocumentSnapshot, now: Timestamp) => void,
  ): Promise<Announcement> {
    await owned(owner, async (transaction, now) => {
      const document = await transaction.get(announcements.doc(id))
      work(transaction, document, Timestamp.fromDate(now))
    })
    return found(await find(id))
  }

  /** A page after the other, in order of id. */
  async function* rowsOf(query: Query): AsyncIterable<QueryDocumentSnapshot> {
    let last: QueryDocumentSnapshot | undefined
    for (;;) {
      const inOrder = query.orderBy(FieldPath.documentId()).limit(PAGE)
      const page = await use(() => (last ? inOrder.startAfter(last.id) : inOrder).get())
      yield* page.docs
      last = page.docs.at(-1)
      if (page.size < PAGE) return
    }
  }

  /** Changes all rows of a status, some hundred at a time. @returns how many. */
  async function changeAll(
    owner: string,
    id: string,
    status: DeliveryStatus,
    changeOf: (row: Row) => object | undefined,
  ): Promise<number> {
    async function* wanted() {
      for await (const document of rowsOf(withStatus(id, status)))
        if (changeOf(document.data() as Row)) yield document.ref
    }
    // Who has lost the lock is told so, also where there is nothing to change.
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

  async function countForgotten(id: string): Promise<number> {
    const answer = await use(() => withStatus(id, 'forgotten').count().get())
    return answer.data().count
  }

  async function all(): Promise<Announcement[]> {
    const { docs } = await use(() => announcements.orderBy('begunAt', 'desc').get())
    return docs.map(toAnnouncement)
  }

  const claim = firestoreClaim(connection, paths, records, standings)

  async function record(owner: string, id: string, results: readonly DeliveryResult[]) {
    if (results.length === 0) return
    await connection.transaction(async (transaction) => {
      const rows = await transaction.getAll(
        ...results.map(({ addressId }) => deliveries(id).doc(addressId)),
      )
      for (const [i, result] of results.entries()) {
        const document = rows[i]
        const change = document && changeBy(result, rowOf(document), owner)
        if (change) transaction.update(document.ref, change)
      }
    })
  }

  return {
    claiming,
    announcements: all,
    findAnnouncement: find,

    begin: (owner, id, { subject, digest }) =>
      change(owner, id, (transaction, document, now) => {
        const begun = { begunAt: now, cutOff: now, eligible: null }
        if (document.exists) transaction.update(document.ref, { subject, digest })
        else transaction.create(document.ref, { subject, digest, ...begun })
      }),

    moveCutOff: (owner, id) =>
      change(owner, id, (transaction, document, now) => {
        transaction.update(document.ref, { cutOff: now, eligible: null })
      }),

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
        for (const [i, { email, subscribedAt, leftOut }] of subscribers.entries()) {
          const row = rows[i]
          if (!row || row.exists || gone.has(row.id)) continue
          const { status, changedAt } = queuedAt(subscribedAt, 0)
          const due = { status, untriedDueAt: Timestamp.fromDate(subscribedAt) }
          const place = leftOut ? { status: 'suppressed', standing: leftOut } : due
          transaction.create(row.ref, { email, tries: 0, changedAt, ...place })
          added += 1
        }
        return added
      }),

    async countEligible(owner, id) {
      const { cutOff } = found(await owned(owner, () => find(id)))
      for (;;) {
        const before = await countForgotten(id)
        const subscribers = await list.countIn({ until: cutOff, standing: 'all' })
        const forgotten = await countForgotten(id)
        // Whoever was forgotten in between may have been counted twice.
        if (forgotten !== before) continue
        return change(owner, id, (transaction, document) => {
          transaction.update(document.ref, { eligible: subscribers + forgotten })
        })
      }
    },

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
      return docs[0]?.get(dueFields.tried).toDate()
    },

    settle: (owner, id) =>
      changeAll(owner, id, 'sending', (row) =>
        row.owner === owner ? undefined : settledAs('uncertain'),
      ),

    requeue: (owner, id, status) =>
      changeAll(owner, id, status, ({ tries }) => ({
        ...queuedAt(new Date(), tries),
        owner: null,
      })),

    bringBack: (owner, id, emails) =>
      owned(owner, async (transaction) => {
        if (emails.length === 0) return
        const refs = emails.map((email) => deliveries(id).doc(addressIds.of(email)))
        for (const document of await transaction.getAll(...refs)) {
          const row = rowOf(document)
          if (row?.status === 'suppressed' && row.standing === 'told')
            transaction.update(document.ref, {
              ...queuedAt(new Date(), 0),
              standing: FieldValue.delete(),
            })
        }
      }),

    async toldAmong(announced, emails) {
      const told = new Set<string>()
      if (emails.length === 0) return told
      for (const id of announced) {
        const refs = emails.map((email) => deliveries(id).doc(addressIds.of(email)))
        const rows = await use(() => db.getAll(...refs))
        for (const [i, email] of emails.entries())
          if (['sent', 'uncertain', 'sending'].includes(rows[i]?.get('status'))) told.add(email)
      }
      return told
    },

    // In one read-only transaction, so that all counts are of the same moment.
    tally: (id) =>
      use(() =>
        db.runTransaction(
          async (transaction) => {
            const count = async (query: Query) =>
              (await transaction.get(query.count())).data().count
            const [untried, ...counts] = await Promise.all([
              count(deliveries(id).orderBy(dueFields.untried)),
              ...deliveryStatuses.map((status) => count(withStatus(id, status))),
            ])
            const entries = deliveryStatuses.map((status, i) => [status, counts[i]])
            return { ...Object.fromEntries(entries), untried } as Tally
          },
          { readOnly: true },
        ),
      ),

    async suppressedAs(id) {
      const counts = noSuppressions()
      for await (const document of rowsOf(withStatus(id, 'suppressed')))
        counts[standingIn(document.data() as Row) ?? 'unsubscribed'] += 1
      return counts
    },

    async *deliveries(id, status) {
      const query = status === undefined ? deliveries(id) : withStatus(id, status)
      for await (const document of rowsOf(query)) yield toDelivery(id, document.data() as Row)
    },

    async deliveriesTo(email) {
      const addressId = addressIds.of(email)
      const found = await Promise.all(
        (await all()).map(async ({ id }): Promise<Delivery[]> => {
          const row = rowOf(await use(() => deliveries(id).doc(addressId).get()))
          return row ? [toDelivery(id, row)] : []
        }),
      )
      return found.flat()
    },
  }
}

/** @throws when there is no such announcement, which is a mistake of the caller's. */
function found(announcement: Announcement | undefined): Announcement {
  if (!announcement) throw new Error('There is no such announcement.')
  return announcement
}

function toAnnouncement(document: DocumentSnapshot): Announcement {
  const { subject, digest, begunAt, cutOff, eligible } = document.data() ?? {}
  return {
    ...{ id: document.id, subject, digest, eligible: eligible ?? undefined },
    begunAt: begunAt.toDate(),
    cutOff: cutOff.toDate(),
  }
}
