import { type Query, Timestamp } from '@google-cloud/firestore'
import type { AddressIds } from '../../keys/address-id.ts'
import { batches } from '../../shared/batches.ts'
import {
  type Delivery,
  type DeliveryLedger,
  type DeliveryReading,
  deliveryStatuses,
  noSuppressions,
  type Tally,
} from '../delivery-ledger.ts'
import type { Departed } from '../waves.ts'
import type { FirestoreConnection } from './connection.ts'
import { rowsIn } from './pages.ts'
import type { FirestorePaths } from './paths.ts'
import { dueFields, type Row, rowOf, standingIn, toDelivery } from './rows.ts'
import { timeIn } from './stored-time.ts'

const LOOKED_UP = 300

/** The part of the ledger that reads its rows. */
export function firestoreDeliveries(
  connection: FirestoreConnection,
  paths: FirestorePaths,
  addressIds: AddressIds,
  allAnnouncements: DeliveryLedger['announcements'],
): DeliveryReading {
  const { db, use } = connection
  const { announcements, deliveries, suppressions } = paths
  const rowsOf = (query: Query) => rowsIn(connection, query)

  const withStatus = (id: string, status: Delivery['status']) =>
    deliveries(id).where('status', '==', status)

  async function countErased(id: string): Promise<number> {
    const erased = withStatus(id, 'forgotten')
    // Two equalities need no index of their own, which `tries > 0` would.
    const [all, untried] = await use(() =>
      Promise.all([erased.count().get(), erased.where('tries', '==', 0).count().get()]),
    )
    return all.data().count - untried.data().count
  }

  return {
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

    async departed(id) {
      const begun = await use(() => announcements.doc(id).get())
      const begunAt = begun.exists ? Timestamp.fromDate(timeIn(begun.get('begunAt'))) : undefined
      const stands = new Map<string, Exclude<keyof Departed, 'erased'>>()
      // The gravest last. An earlier standing may have been lifted by a sign-up since.
      if (begunAt)
        for (const standing of ['unsubscribed', 'bounced', 'complained'] as const) {
          const field = `${standing}At`
          const since = suppressions.where(field, '>=', begunAt).orderBy(field)
          for await (const { id } of rowsOf(since)) stands.set(id, standing)
        }
      const departed = { unsubscribed: 0, complained: 0, bounced: 0, erased: await countErased(id) }
      for await (const group of batches(stands, LOOKED_UP)) {
        const rows = await use(() => db.getAll(...group.map(([one]) => deliveries(id).doc(one))))
        for (const [i, [, standing]] of group.entries())
          if (['sent', 'uncertain'].includes(rows[i]?.get('status'))) departed[standing] += 1
      }
      return departed
    },

    async *toldSince(time) {
      // Every message changes the time of a row, so the time has no index, and all rows are read.
      const maybe = ['sent', 'uncertain', 'sending', 'forgotten'] as const
      for (const { id } of await allAnnouncements())
        for (const status of maybe)
          for await (const document of rowsOf(withStatus(id, status))) {
            const { email, tries, changedAt } = document.data() as Row
            const at = timeIn(changedAt)
            if (at >= time && (status !== 'forgotten' || tries > 0)) yield { email, at }
          }
    },

    async isUnfinished(id) {
      const left = deliveries(id).where('status', 'in', ['queued', 'sending']).limit(1)
      return !(await use(() => left.get())).empty
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
        (await allAnnouncements()).map(async ({ id }): Promise<Delivery[]> => {
          const row = rowOf(await use(() => deliveries(id).doc(addressId).get()))
          return row ? [toDelivery(id, row)] : []
        }),
      )
      return found.flat()
    },
  }
}
