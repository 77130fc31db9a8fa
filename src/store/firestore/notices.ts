import { type QueryDocumentSnapshot, Timestamp, type Transaction } from '@google-cloud/firestore'
import {
  type AlarmState,
  MOST_WAITING,
  milestone,
  milestoneAfter,
  milestonesIn,
  type NewNotice,
  NOTICE_DAYS,
  type Notice,
  type Notices,
  type NoticeType,
  noticeId,
  type PlaceState,
  REACHED,
} from '../notices.ts'
import { objectIn } from '../stored-json.ts'
import type { SubscriberList } from '../subscriber-list.ts'
import type { FirestoreConnection } from './connection.ts'
import type { FirestorePaths } from './paths.ts'
import type { FirestoreRecords } from './records.ts'
import { timeIn } from './stored-time.ts'

const DAY_MS = 86_400_000
const NOBODY = new Date(8.64e15)

/**
 * In Firestore each sign-up is a write of its own, often by a browser, and a shared counter would
 * limit them to one a second. So milestones are found by looking at the list, and noted once for
 * their key.
 */
export function firestoreNotices(
  { db, use, transaction }: FirestoreConnection,
  paths: FirestorePaths,
  records: FirestoreRecords,
  list: SubscriberList,
  appId: string,
): Notices {
  const { notices, noticePlaces, alarms, lastNotice } = paths
  /**
   * The number of records at which subscribers are counted next; there are never fewer records than
   * subscribers.
   */
  let nextCount = 0

  async function numberOfRecords() {
    return (await use(() => records.collection.count().get())).data().count
  }

  /** The subscribers without the quarantined. */
  async function sizeOf() {
    const { standings } = await list.overview(NOBODY, () => {})
    const all = Object.values(standings).reduce((sum, count) => sum + count)
    return { size: all - standings.quarantined, quarantined: standings.quarantined }
  }

  /** @param events in order. @param alsoWrite more writes of the transaction, after its reads. */
  async function note(work: Transaction, events: readonly NewNotice[], alsoWrite = () => {}) {
    const places = events.map(({ key }) => notices.doc(key))
    const kept = places.length > 0 ? await work.getAll(...places) : []
    const last = await work.get(lastNotice)
    let number = Number(last.get('number') ?? 0)
    for (const [i, { key, type, at, data }] of events.entries()) {
      if (kept[i]?.exists) continue
      number += 1
      const fields = { number, type, at: Timestamp.fromDate(at), data: JSON.stringify(data) }
      work.set(notices.doc(key), fields)
    }
    work.set(lastNotice, { number })
    alsoWrite()
    return number
  }

  async function isAnybodyTold() {
    return !(await use(() => noticePlaces.limit(1).get())).empty
  }

  function milestonesOf(size: number, now: Date) {
    return milestonesIn(size).map((number) => milestone(number, size, now))
  }

  /** Notes the milestones that the list has reached, if it may have reached any. */
  async function look(now: Date) {
    const found = await numberOfRecords()
    if (found < nextCount) return
    const { size } = await sizeOf()
    await transaction((work) => note(work, milestonesOf(size, now)))
    // At least this many records are missing.
    nextCount = found + milestoneAfter(size) - size
  }

  async function waitingAfter(work: Transaction, number: number): Promise<Notice[]> {
    const query = notices.where('number', '>', number).orderBy('number').limit(MOST_WAITING)
    return (await work.get(query)).docs.map((document) => noticeIn(document, appId))
  }

  async function dropBefore(time: Date) {
    const old = notices.where('at', '<', Timestamp.fromDate(time)).limit(MOST_WAITING)
    const { docs } = await use(() => old.get())
    const batch = db.batch()
    for (const { ref, id } of docs) if (!id.startsWith(REACHED)) batch.delete(ref)
    await use(() => batch.commit())
  }

  return {
    // Each look costs reads.
    lookForMilestonesEveryMs: 300_000,

    async open(names, now) {
      // A release from the quarantine adds no record.
      nextCount = 0
      await look(now)
      return transaction(async (work) => {
        const places = names.map((name) => noticePlaces.doc(name))
        const [kept, last] = [await work.getAll(...places), await work.get(lastNotice)]
        const place: PlaceState = { since: now.getTime(), toldTo: Number(last.get('number') ?? 0) }
        const states = kept.map((document) => {
          if (document.exists) return placeIn(document.get('data'))
          work.set(document.ref, { data: JSON.stringify(place) })
          return place
        })
        return new Date(Math.min(...states.map(({ since }) => since)))
      })
    },

    noteMilestones: look,

    async noteEvent(event) {
      if (!(await isAnybodyTold())) return
      if ((await use(() => notices.doc(event.key).get())).exists) return
      await transaction((work) => note(work, [event]))
      await dropBefore(new Date(event.at.getTime() - NOTICE_DAYS * DAY_MS))
    },

    async changeAlarm(kind, decide) {
      const stateIn = (data: unknown): AlarmState | undefined =>
        objectIn(data) as AlarmState | undefined
      const ref = alarms.doc(kind)
      const looked = decide(stateIn((await use(() => ref.get())).get('data')))
      if (!looked.alarm || !(await isAnybodyTold())) return
      await transaction(async (work) => {
        const { alarm, event } = decide(stateIn((await work.get(ref)).get('data')))
        const keep = () => alarm && work.set(ref, { data: JSON.stringify(alarm) })
        await note(work, event ? [event] : [], keep)
      })
    },

    async changePlace(name, decide) {
      const ref = noticePlaces.doc(name)
      const [looked, some] = await Promise.all([use(() => ref.get()), use(() => lastNotice.get())])
      if (!looked.exists) return undefined
      // Mostly no notice waits, and then nothing else is read.
      const place = placeIn(looked.get('data'))
      if (Number(some.get('number') ?? 0) <= place.toldTo) {
        const { place: changed, result } = decide(place, [])
        if (!changed) return result
      }
      return transaction(async (work) => {
        const kept = placeIn((await work.get(ref)).get('data'))
        const { place, result } = decide(kept, await waitingAfter(work, kept.toldTo))
        if (place) work.set(ref, { data: JSON.stringify(place) })
        return result
      })
    },

    async growthBetween(from, to) {
      let signUps = 0
      const { standings } = await list.overview(from, ({ signedUpAt, standing }) => {
        if (isBetween(signedUpAt, from, to) && standing !== 'quarantined') signUps += 1
      })
      const { quarantined } = standings
      const all = Object.values(standings).reduce((sum, count) => sum + count)
      return { signUps, subscribers: all - quarantined, quarantined }
    },

    async signedUp(from, to, most) {
      const found: { email: string; at: number }[] = []
      await list.overview(from, ({ email, signedUpAt, standing }) => {
        if (!isBetween(signedUpAt, from, to) || standing !== 'subscribed') return
        found.push({ email, at: signedUpAt.getTime() })
        // Cut now and then, so that a flood takes no memory.
        if (found.length > 20 * most) keepFirst(found, most)
      })
      keepFirst(found, most)
      return found.map(({ email }) => email)
    },

    async quarantinedSince(since) {
      const countOf = async (field: string) => {
        const query = paths.suppressions.where(field, '>=', Timestamp.fromDate(since))
        return (await use(() => query.count().get())).data().count
      }
      const all = await countOf('quarantinedAt')
      return all === 0 ? 0 : Math.max(0, all - (await countOf('quarantineImportedAt')))
    },
  }
}

function isBetween(at: Date | undefined, from: Date, to: Date): at is Date {
  return at !== undefined && at >= from && at < to
}

function keepFirst(found: { readonly at: number }[], most: number) {
  found.sort((a, b) => a.at - b.at)
  found.length = Math.min(found.length, most)
}

/** A place that cannot be read is told from now on. */
function placeIn(data: unknown): PlaceState {
  const { since = Date.now(), toldTo = 0, ...more } = objectIn(data) ?? {}
  return { ...more, since: Number(since), toldTo: Number(toldTo) }
}

function noticeIn(document: QueryDocumentSnapshot, appId: string): Notice {
  return {
    id: noticeId(appId, document.id),
    number: Number(document.get('number')),
    type: document.get('type') as NoticeType,
    at: timeIn(document.get('at')),
    data: objectIn(document.get('data')) ?? {},
  }
}
