import type { AddressIds } from '../../keys/address-id.ts'
import { type GrowthCounts, QUARTER_MS } from '../growth.ts'
import type { SubscriberList } from '../subscriber-list.ts'
import type { FirestoreConnection } from './connection.ts'
import { inForce, knownIn } from './known.ts'
import { type FirestoreRecords, recordsIn } from './records.ts'
import type { FirestoreStandings } from './standings.ts'
import { EARLIEST, LATEST } from './stored-time.ts'

/** A look reads the pages of the summary, which costs reads. */
const LOOK_EVERY_MS = 30_000
/** An address may have several records, of which the earliest is its sign-up. */
const RECORDS_A_SUBSCRIBER = 3

export function firestoreGrowth(
  { db, use }: FirestoreConnection,
  records: FirestoreRecords,
  { entries }: FirestoreStandings,
  list: Pick<SubscriberList, 'overview'>,
  addressIds: AddressIds,
): GrowthCounts {
  return {
    lookEveryMs: LOOK_EVERY_MS,

    async since(since) {
      // Whole quarters, as the other stores count them.
      const begin = new Date(Math.floor(since.getTime() / QUARTER_MS) * QUARTER_MS)
      const quarters = new Map<number, number>()
      const overview = await list.overview(begin, ({ signedUpAt, standing }) => {
        if (standing === 'quarantined' || !signedUpAt || signedUpAt < begin) return
        const at = Math.floor(signedUpAt.getTime() / QUARTER_MS) * QUARTER_MS
        quarters.set(at, (quarters.get(at) ?? 0) + 1)
      })
      const inOrder = [...quarters].sort(([a], [b]) => a - b)
      return { ...overview, quarters: inOrder.map(([at, number]) => ({ at, number })) }
    },

    async newest(limit) {
      const query = records.collection
        .where('subscribedAt', '>=', EARLIEST)
        .where('subscribedAt', '<', LATEST)
        .orderBy('subscribedAt', 'desc')
        .limit(limit * RECORDS_A_SUBSCRIBER)
      const emails = [...new Set(recordsIn(await use(() => query.get())).map(({ email }) => email))]
      if (emails.length === 0) return []
      const signUps = await records.signUps(emails)
      const known = await use(() =>
        db.getAll(...emails.map((email) => entries.doc(addressIds.of(email)))),
      )
      return emails
        .flatMap((email, i) => {
          const { first, last, page } = signUps.get(email) ?? {}
          if (!first) return []
          const entry = inForce(knownIn(known[i]), last)
          if (entry?.standing === 'forgotten') return []
          const { standing = 'subscribed' as const, at, detail } = entry ?? {}
          return {
            email,
            subscribedAt: first.toDate(),
            standing,
            ...(at && { standingAt: at }),
            ...(detail !== undefined && { detail }),
            ...(!page && { isImported: true as const }),
          }
        })
        .sort((a, b) => b.subscribedAt.getTime() - a.subscribedAt.getTime())
        .slice(0, limit)
    },

    watch(onChange) {
      const timer = setInterval(onChange, LOOK_EVERY_MS)
      timer.unref()
      return () => clearInterval(timer)
    },
  }
}
