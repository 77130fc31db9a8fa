import { FieldValue } from '@google-cloud/firestore'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { cleanDetail } from '../standing.ts'
import type { Store } from '../store.ts'
import type { SubscriberList } from '../subscriber-list.ts'
import type { SignUps } from '../subscriber-store.ts'
import type { FirestoreConnection } from './connection.ts'
import type { FirestoreQuarantine } from './quarantine.ts'
import type { FirestoreRecords } from './records.ts'
import type { FirestoreSources } from './sources.ts'
import { unlessKept } from './unless-kept.ts'

/**
 * Adds subscribers as the page does that has no server. An `add` that was not answered in time is
 * reported as failed and may still arrive; the repeat that follows is merged with it.
 */
export function firestoreSignUps(
  { use, close }: FirestoreConnection,
  records: FirestoreRecords,
  list: SubscriberList,
  addSuspect: FirestoreQuarantine['addSuspect'],
  keepFirst: FirestoreSources['keepFirst'],
): SignUps & Pick<Store, 'checkWritable' | 'close'> {
  const keeping = new Set<Promise<void>>()

  /** Erasing a document that is not there fails where a sign-up would. */
  async function checkWritable() {
    await use(() => records.collection.doc().delete())
  }

  async function addOne(email: string): Promise<string> {
    const ref = records.collection.doc()
    const record = { email, subscribedAt: FieldValue.serverTimestamp() }
    await use(() => ref.create(record).catch(unlessKept))
    return ref.id
  }

  return {
    // A new record each time, as in a browser: nothing is looked up, so a known address takes as long.
    // With signs of a robot, as much is looked up for every address.
    async add(email, notes) {
      if (isProbeAddress(email)) return checkWritable()
      const suspicion = cleanDetail(notes?.suspicion)
      const id = await (suspicion === undefined ? addOne(email) : addSuspect(email, suspicion))
      if (!(notes?.source || notes?.language) || suspicion !== undefined) return
      // Nobody waits for it: a new address has more to be written than a known one. And nobody is
      // told that it failed, who could do nothing about it.
      const kept = keepFirst({ id, email }, notes)
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
