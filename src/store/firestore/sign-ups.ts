import { FieldValue } from '@google-cloud/firestore'
import { isProbeAddress } from '../../shared/probe-address.ts'
import type { SubscriberList } from '../subscriber-list.ts'
import type { SubscriberStore } from '../subscriber-store.ts'
import type { FirestoreConnection } from './connection.ts'
import { grpc } from './outage.ts'
import type { FirestoreRecords } from './records.ts'
import type { FirestoreSources } from './sources.ts'

/**
 * Adds subscribers as the page does that has no server. An `add` that was not answered in time is
 * reported as failed and may still arrive; the repeat that follows is merged with it.
 */
export function firestoreSignUps(
  { use, close }: FirestoreConnection,
  records: FirestoreRecords,
  { keepFirst }: Pick<FirestoreSources, 'keepFirst'>,
  list: SubscriberList,
): SubscriberStore {
  const keeping = new Set<Promise<void>>()

  /** Erasing a document that is not there fails where a sign-up would. */
  async function checkWritable() {
    await use(() => records.collection.doc().delete())
  }

  return {
    // A new record each time, as in a browser: nothing is looked up, so a known address takes as long.
    async add(email, notes) {
      if (isProbeAddress(email)) return checkWritable()
      const ref = records.collection.doc()
      const record = { email, subscribedAt: FieldValue.serverTimestamp() }
      await use(() => ref.create(record).catch(unlessKept))
      const source = notes?.source
      if (!source) return
      // Nobody waits for it: a new address has more to be written than a known one. And nobody is
      // told that it failed, who could do nothing about it.
      const kept = keepFirst({ id: ref.id, email }, source)
        .catch(() => {})
        .finally(() => keeping.delete(kept))
      keeping.add(kept)
    },

    async find(email) {
      const first = await records.firstOf(email)
      return first && { email, subscribedAt: first.at.toDate() }
    },

    count: () => list.countIn({ standing: 'all' }),
    checkWritable,

    async close() {
      await Promise.all(keeping)
      await close()
    },
  }
}

/** The id is random: what is there already came with an attempt whose answer was lost. */
function unlessKept(error: { code?: number }): void {
  if (error.code !== grpc.alreadyExists) throw error
}
