import {
  type DocumentReference,
  type DocumentSnapshot,
  Timestamp,
  type Transaction,
} from '@google-cloud/firestore'
import type { AddressIds } from '../../keys/address-id.ts'
import { type EventType, eventTypes } from '../../shared/event-types.ts'
import { eventsBetween, type SeenPerson } from '../event-changes.ts'
import { type EventQueue, erased, queued, queueIn } from '../event-queue.ts'
import type { EventFeed } from '../events.ts'
import { objectIn } from '../stored-json.ts'
import type { FirestoreConnection } from './connection.ts'
import type { FirestorePaths } from './paths.ts'

/** Notes an event of one person, whose queue was read before. */
type Note = (addressId: string, email: string | undefined, types: readonly EventType[]) => void

/** How somebody stands before and after. */
export type Change = readonly [before: SeenPerson, after: SeenPerson]

/** Writes what other systems are told, in the transaction of what it reports. */
export interface FirestoreEventNotes {
  /** Whether any of these events are written, as was read some seconds ago. @throws StoreUnavailable */
  isOn(types?: readonly EventType[]): Promise<boolean>
  /** Forgets what was read of the feed. */
  feedChanged(): void
  /**
   * Reads what waits of some people, among the other reads of a transaction.
   *
   * @returns the function that writes, among its writes; it does nothing while the feed is off.
   */
  read(work: Transaction, addressIds: readonly string[]): Promise<Note>
  /** The same for erasing somebody, which is written also while the feed is off. */
  readForErasing(work: Transaction, addressId: string): Promise<() => void>
  /** The events between two looks. */
  between(change: Change): readonly EventType[]
}

/** A feed is opened at the start of a server, and hardly ever after; each look costs a read. */
const BELIEVED_MS = 5000
/** Where there never was one. */
const NONE_BELIEVED_MS = 60_000

export function firestoreEventNotes(
  { use }: FirestoreConnection,
  { eventFeed, eventQueues }: Pick<FirestorePaths, 'eventFeed' | 'eventQueues'>,
  ids: AddressIds,
): FirestoreEventNotes {
  let known: { readonly feed: EventFeed | undefined; readonly until: number } | undefined

  // Outside of the transactions: in them it would be locked by each, and each would wait.
  async function feed() {
    if (!known || performance.now() > known.until) {
      const document = await use(() => eventFeed.get())
      const feed = feedIn(document)
      known = { feed, until: performance.now() + (feed ? BELIEVED_MS : NONE_BELIEVED_MS) }
    }
    return known.feed
  }

  const placeOf = (addressId: string) => eventQueues.doc(ids.person(addressId))

  return {
    async isOn(types = eventTypes) {
      const found = await feed()
      return found?.isOn === true && types.some((one) => found.types.includes(one))
    },

    feedChanged() {
      known = undefined
    },

    async read(work, addressIds) {
      const found = await feed()
      if (!found?.isOn || addressIds.length === 0) return () => {}
      const documents = await work.getAll(...addressIds.map(placeOf))
      const queues = new Map(documents.map((one) => [one.id, queueOf(one)]))
      return (addressId, email, happened) => {
        const types = happened.filter((one) => found.types.includes(one))
        const ref = placeOf(addressId)
        const queue = queues.get(ref.id)
        // As much is written where nothing happened, so that the answer's time reveals nothing.
        const after = types.length > 0 ? queued(queue, types, email, Date.now()) : queue
        queues.set(ref.id, after)
        putQueue(work, ref, after)
      }
    },

    async readForErasing(work, addressId) {
      const found = await feed()
      if (!found) return () => {}
      const ref = placeOf(addressId)
      const queue = queueOf(await work.get(ref))
      const isTold = found.types.includes('forgotten')
      return () => putQueue(work, ref, isTold ? erased(queue, Date.now()) : undefined)
    },

    between: ([before, after]) => eventsBetween(before, after),
  }
}

/** A queue's document: its times stand in fields of their own, by which it is found. */
export function putQueue(
  work: Pick<Transaction, 'set' | 'delete'>,
  ref: DocumentReference,
  queue: EventQueue | undefined,
): void {
  if (!queue) {
    work.delete(ref)
    return
  }
  const { dueAt, heldAt, events } = queue
  work.set(ref, {
    data: JSON.stringify(queue),
    first: events[0]?.type ?? '',
    firstAt: Timestamp.fromMillis(events[0]?.at ?? 0),
    ...(dueAt !== undefined && { dueAt: Timestamp.fromMillis(dueAt) }),
    ...(heldAt !== undefined && { heldAt: Timestamp.fromMillis(heldAt) }),
  })
}

export function queueOf(document: DocumentSnapshot): EventQueue | undefined {
  return queueIn(document.get('data'))
}

/** Anybody with the operator's credentials may have written it. */
export function feedIn(document: DocumentSnapshot): EventFeed | undefined {
  const found = objectIn(document.get('data'))
  if (!found || !Array.isArray(found.types)) return undefined
  const types = eventTypes.filter((one) => (found.types as unknown[]).includes(one))
  return { ...found, types } as unknown as EventFeed
}
