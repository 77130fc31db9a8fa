import type { DocumentSnapshot, Query } from '@google-cloud/firestore'
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
  const { deliveries, suppressions } = paths
  const rowsOf = (query: Query) => rowsIn(connection, query)

  const withStatus = (id: string, status: Delivery['status']) =>
    deliveries(id).where('status', '==', status)

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

    // The time of a row has no index, so all rows that were tried are read.
    async lately(id, most, since = new Date(0)) {
      const rows: { id: string; status: string; at: Date }[] = []
      for (const status of ['sent', 'uncertain', 'failed', 'forgotten'] as const)
        for await (const document of rowsOf(withStatus(id, status))) {
          const { tries, changedAt } = document.data() as Row
          const at = timeIn(changedAt)
          if (tries > 0 && at > since) rows.push({ id: document.id, status, at })
        }
      rows.sort((a, b) => b.at.getTime() - a.at.getTime())
      const tried = rows.slice(0, most.tried)
      const told = rows.filter(({ status }) => status !== 'failed').slice(0, most.told)
      const marks = new Map<string, DocumentSnapshot>()
      for await (const group of batches(
        new Set([...tried, ...told].map(({ id }) => id)),
        LOOKED_UP,
      ))
        for (const one of await use(() => db.getAll(...group.map((id) => suppressions.doc(id)))))
          marks.set(one.id, one)
      // The time of a standing stays where a sign-up has lifted it since.
      const is = ({ id, status, at }: (typeof rows)[number], ...standings: string[]) =>
        status === 'forgotten' ||
        standings.some((one) => timeIn(marks.get(id)?.get(`${one}At`)) >= at)
      return {
        tried: tried.length,
        failed: tried.filter((one) => one.status === 'failed' || is(one, 'bounced')).length,
        told: told.length,
        left: told.filter((one) => is(one, 'unsubscribed', 'complained')).length,
      }
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
