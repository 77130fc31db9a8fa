import { FieldValue } from '@google-cloud/firestore'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { cleanDetail } from '../standing.ts'
import type { Store } from '../store.ts'
import type { SubscriberList } from '../subscriber-list.ts'
import type { SignUps } from '../subscriber-store.ts'
import type { FirestoreConnection } from './connection.ts'
import type { FirestoreEventNotes } from './event-notes.ts'
import type { FirestoreQuarantine } from './quarantine.ts'
import type { FirestoreRecords } from './records.ts'
import type { FirestoreSources } from './sources.ts'
import { unlessKept } from './unless-kept.ts'

/**
 * Adds subscribers as a page without a server does. An `add` that was not answered in time is
 * reported as failed and may still arrive; its repeat is then merged with it.
 */
export function firestoreSignUps(
  { use, close }: FirestoreConnection,
  records: FirestoreRecords,
  list: SubscriberList,
  addSuspect: FirestoreQuarantine['addSuspect'],
  keepFirst: FirestoreSources['keepFirst'],
  addReported: FirestoreQuarantine['addReported'],
  notes: FirestoreEventNotes,
): SignUps & Pick<Store, 'checkWritable' | 'close'> {
  const keeping = new Set<Promise<void>>()

  /** Erasing a missing document fails when a sign-up would. */
  async function checkWritable() {
    await use(() => records.collection.doc().delete())
  }

  async function addOne(email: string): Promise<string> {
    if (await notes.isOn(['subscribed'])) return addReported(email)
    const ref = records.collection.doc()
    const record = { email, subscribedAt: FieldValue.serverTimestamp() }
    await use(() => ref.create(record).catch(unlessKept))
    return ref.id
  }

  return {
    // A new record each time, as in a browser: without a look-up, a known address takes as long as
    // a new one. With signs of a robot, every address takes the same look-ups.
    async add(email, notes) {
      if (isProbeAddress(email)) {
        await checkWritable()
        return undefined
      }
      const suspicion = cleanDetail(notes?.suspicion)
      const isNew = notes?.isAsked && (await records.firstOf(email)) === undefined
      const broughtAt = isNew && suspicion === undefined ? new Date() : undefined
      const adding = suspicion === undefined ? addOne(email) : addSuspect(email, suspicion)
      // It may take several calls, and the store is not closed between them.
      const ended = adding.then(
        () => void keeping.delete(ended),
        () => void keeping.delete(ended),
      )
      keeping.add(ended)
      const id = await adding
      if (!(notes?.source || notes?.language) || suspicion !== undefined) return broughtAt
      // Not awaited, since a new address takes more writes than a known one. A failure is ignored:
      // the visitor could do nothing about it.
      const kept = keepFirst({ id, email }, notes)
        .catch(() => {})
        .finally(() => keeping.delete(kept))
      keeping.add(kept)
      return broughtAt
    },

    async find(email) {
      const first = await records.firstOf(email)
      if (!first) return undefined
      // At most one record is an import's, so the next one tells.
      const page = first.page ?? (await records.firstOf(email, first.at))?.page
      return { email, subscribedAt: first.at.toDate(), ...(!page && { isImported: true as const }) }
    },

    count: () => list.countIn({ standing: 'all' }),
    checkWritable,

    async close() {
      await Promise.all(keeping)
      await close()
    },
  }
}
