import { type DocumentReference, Timestamp, type Transaction } from '@google-cloud/firestore'
import type { AddressIds } from '../../keys/address-id.ts'
import { batches } from '../../shared/batches.ts'
import { answerIn } from '../answers.ts'
import { afterAnswers, feedBack, openedFeed } from '../event-feed.ts'
import {
  claimed,
  type EventQueue,
  HELD_AFTER_MS,
  held,
  isDue,
  replayed,
  settled,
} from '../event-queue.ts'
import type { ClaimedEvent, EventFeed, Events } from '../events.ts'
import type { FirestoreConnection } from './connection.ts'
import { type FirestoreEventNotes, feedIn, putQueue, queueOf } from './event-notes.ts'
import { knownIn } from './known.ts'
import { rowsIn } from './pages.ts'
import type { FirestorePaths } from './paths.ts'
import type { FirestoreStandings } from './standings.ts'

/** Under Firestore's 500 writes a transaction. */
const AT_ONCE = 200
/** The feed is written no oftener while all goes well. */
const NOTED_EVERY_MS = 60_000

export function firestoreEvents(
  connection: FirestoreConnection,
  { eventFeed, eventQueues }: FirestorePaths,
  notes: FirestoreEventNotes,
  {
    bind,
    entries,
    forgottenAmong,
  }: Pick<FirestoreStandings, 'bind' | 'entries' | 'forgottenAmong'>,
  addressIds: AddressIds,
): Events {
  const { use, transaction } = connection

  /** @param change gives nothing where the feed stays. */
  async function changeFeed(change: (feed: EventFeed | undefined) => EventFeed | undefined) {
    await transaction(async (work) => {
      const feed = change(feedIn(await work.get(eventFeed)))
      if (feed) work.set(eventFeed, { data: JSON.stringify(feed) })
    })
    notes.feedChanged()
  }

  /** @returns how many were changed. */
  async function changeAll(change: (queue: EventQueue) => EventQueue | undefined) {
    async function* refs() {
      for await (const document of rowsIn(connection, eventQueues)) {
        const queue = queueOf(document)
        if (queue && change(queue)) yield document.ref
      }
    }
    let changed = 0
    for await (const some of batches(refs(), AT_ONCE))
      changed += await transaction((work) => changeSome(work, some, change))
    return changed
  }

  async function changeSome(
    work: Transaction,
    refs: readonly DocumentReference[],
    change: (queue: EventQueue) => EventQueue | undefined,
  ) {
    const after = (await work.getAll(...refs)).flatMap((document) => {
      const queue = queueOf(document)
      const changed = queue && change(queue)
      return changed ? [{ ref: document.ref, changed }] : []
    })
    for (const { ref, changed } of after) putQueue(work, ref, changed)
    return after.length
  }

  /** @returns `undefined` where another server was faster. */
  function take(ref: DocumentReference, leaseMs: number, now: number) {
    return transaction(async (work): Promise<ClaimedEvent | undefined> => {
      const document = await work.get(ref)
      const queue = queueOf(document)
      // No document of ours, which would be met first each time.
      if (!queue?.events.length && document.exists) work.delete(ref)
      if (!queue || !isDue(queue, now)) return undefined
      const taken = claimed(queue, leaseMs, now)
      const [event] = taken.events
      if (!event || taken.lease === undefined) return undefined
      const { email } = event.type === 'forgotten' ? {} : taken
      const isAnswer = event.type === 'answered' && email !== undefined
      const known = isAnswer ? await work.get(entries.doc(addressIds.of(email))) : undefined
      const answer = known && answerIn(knownIn(known).extra)
      putQueue(work, ref, taken)
      const common = {
        ...{ person: ref.id, lease: taken.lease },
        ...(email !== undefined && { email }),
        ...(answer !== undefined && { answer }),
      }
      return { id: event.id, type: event.type, at: new Date(event.at), ...common }
    })
  }

  return {
    lookEveryMs: 20_000,

    async open(types, place, now) {
      await bind()
      await changeFeed((known) => openedFeed(known, types, place, now.getTime()))
    },

    async close() {
      const feed = feedIn(await use(() => eventFeed.get()))
      if (feed?.isOn) await changeFeed((known) => known && { ...known, isOn: false })
    },

    feed: async () => feedIn(await use(() => eventFeed.get())),

    async claim(limit, leaseMs, now) {
      const due = eventQueues
        .where('dueAt', '<=', Timestamp.fromDate(now))
        .orderBy('dueAt')
        .limit(limit)
      const { docs } = await use(() => due.get())
      const taken = await Promise.all(docs.map(({ ref }) => take(ref, leaseMs, now.getTime())))
      return taken.filter((one) => one !== undefined)
    },

    async settle(ended, now) {
      const at = now.getTime()
      await Promise.all(
        ended.map(({ event, answer }) =>
          transaction(async (work) => {
            const ref = eventQueues.doc(event.person)
            const queue = queueOf(await work.get(ref))
            if (queue) putQueue(work, ref, settled(queue, event, answer, at))
          }),
        ),
      )
      const feed = feedIn(await use(() => eventFeed.get()))
      if (!feed) return
      const change = afterAnswers(feed, ended, at)
      const isCalm = !feed.failing && !change.feed.failing
      if (!isCalm || at - (feed.lastAt ?? 0) > NOTED_EVERY_MS)
        await changeFeed((known) => known && afterAnswers(known, ended, at).feed)
      const isFree = ({ lease }: EventQueue) => lease === undefined
      if (change.isHeld)
        await changeAll((queue) => {
          const [first] = queue.events
          const isOld = first && first.type !== 'forgotten' && first.at <= at - HELD_AFTER_MS
          return isOld && isFree(queue) && queue.heldAt === undefined ? held(queue, at) : undefined
        })
    },

    async counts() {
      const count = async (query: FirebaseFirestore.Query) =>
        (await use(() => query.count().get())).data().count
      const [people, heldNow, forgotten, oldest] = await Promise.all([
        count(eventQueues),
        count(eventQueues.where('heldAt', '>', Timestamp.fromMillis(0))),
        count(eventQueues.where('first', '==', 'forgotten')),
        use(() => eventQueues.orderBy('firstAt').limit(1).get()),
      ])
      const [first] = oldest.docs.map((one) => queueOf(one)?.events[0]?.at)
      return { people, held: heldNow, forgotten, ...(first !== undefined && { oldest: first }) }
    },

    async waiting(limit) {
      const { docs } = await use(() => eventQueues.limit(limit).get())
      return docs.flatMap((document) => {
        const queue = queueOf(document)
        return queue ? [{ person: document.id, queue }] : []
      })
    },

    async replay(now) {
      await changeFeed((feed) => feed && feedBack(feed))
      return changeAll((queue) => replayed(queue, now.getTime()))
    },

    async restore(waiting, now) {
      await bind()
      if (waiting.length === 0) return
      await transaction(async (work) => {
        const refs = waiting.map(({ person }) => eventQueues.doc(person))
        const [kept, gone] = await Promise.all([
          work.getAll(...refs),
          forgottenAmong(
            work,
            waiting.flatMap(({ queue }) => queue.email ?? []),
          ),
        ])
        for (const [i, { queue }] of waiting.entries()) {
          const place = kept[i]
          const isGone = queue.email !== undefined && gone.has(addressIds.of(queue.email))
          if (place && !place.exists && !isGone)
            putQueue(work, place.ref, replayed(queue, now.getTime()))
        }
      })
    },
  }
}
