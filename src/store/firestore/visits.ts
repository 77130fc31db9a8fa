import { type DocumentSnapshot, Timestamp } from '@google-cloud/firestore'
import { sourceFrom } from '../../shared/source.ts'
import type { Restorable } from '../restore-target.ts'
import { objectIn } from '../stored-json.ts'
import {
  type CountedHour,
  HOUR_MS,
  MOST_DAYS,
  type NameCount,
  nameCounter,
  nameKinds,
  namesOf,
  noVisits,
  type Visits,
  visitKinds,
} from '../visits.ts'
import type { FirestoreConnection } from './connection.ts'
import { rowsIn } from './pages.ts'
import type { FirestorePaths } from './paths.ts'
import { countIn, timestampIn } from './stored-time.ts'

type Counts = Pick<CountedHour, 'counts' | 'names'>
type FirestoreVisits = Omit<Visits, 'sourceOf' | 'sourcesOf'> & Restorable<'visits'>

/** One document for each hour: several servers add to it, each in a transaction of its own. */
export function firestoreVisits(
  { use, transaction }: FirestoreConnection,
  { visits, sources }: FirestorePaths,
): FirestoreVisits {
  const placeOf = (hour: Date) => visits.doc(hour.toISOString().slice(0, 13))
  const fieldsOf = (hour: Date, counts: Counts) => ({
    hour: Timestamp.fromDate(hour),
    data: JSON.stringify(counts),
  })

  async function hoursSince(since: Date) {
    const query = visits.where('hour', '>=', Timestamp.fromDate(since)).orderBy('hour')
    return (await use(() => query.get())).docs
  }

  return {
    // A write a minute and server.
    countEveryMs: 60_000,

    async add(hours) {
      for (const hour of hours)
        await transaction(async (work) => {
          const kept = await work.get(placeOf(hour.hour))
          if (!kept.exists) {
            const old = await work.get(placeOf(longBefore(hour.hour)))
            const { counts, names } = countsIn(old)
            if (names.length > 0)
              work.update(old.ref, fieldsOf(longBefore(hour.hour), { counts, names: [] }))
          }
          work.set(kept.ref, fieldsOf(hour.hour, together(countsIn(kept), hour)))
        })
    },

    async since(since) {
      const docs = await hoursSince(since)
      return docs.flatMap((document) => {
        const hour = timestampIn(document.get('hour'))?.toDate()
        return hour ? { hour, counts: countsIn(document).counts } : []
      })
    },

    async names(since) {
      const counter = nameCounter()
      for (const document of await hoursSince(since))
        for (const name of countsIn(document).names) counter.add(name)
      return counter.counts()
    },

    async signUpNames(since) {
      const counter = nameCounter()
      const inOrder = sources.orderBy('at').startAt(Timestamp.fromDate(since))
      for await (const document of rowsIn({ use }, inOrder))
        for (const [kind, name] of namesOf(sourceFrom(document.data()) ?? {}))
          counter.add({ kind, name, number: 1 })
      return counter.counts()
    },

    async restore(hours) {
      if (hours.length === 0) return
      await transaction(async (work) => {
        const kept = await work.getAll(...hours.map(({ hour }) => placeOf(hour)))
        for (const [i, one] of hours.entries()) {
          const place = kept[i]
          if (place && !place.exists)
            work.create(place.ref, fieldsOf(one.hour, together(undefined, one)))
        }
      })
    },
  }
}

const longBefore = (hour: Date) => new Date(hour.getTime() - MOST_DAYS * 24 * HOUR_MS)

/** @returns as many names as one document may have. */
function together(kept: Counts | undefined, more: Counts): Counts {
  const counts = noVisits()
  const counter = nameCounter()
  for (const one of kept ? [kept, more] : [more]) {
    for (const kind of visitKinds) counts[kind] += one.counts[kind]
    for (const name of one.names) counter.add(name)
  }
  return { counts, names: counter.counts() }
}

function countsIn(document: DocumentSnapshot): Counts {
  const { counts, names } = objectIn(document.get('data')) ?? {}
  const kept = noVisits()
  for (const kind of visitKinds) kept[kind] = countIn(Object(counts)[kind])
  return { counts: kept, names: Array.isArray(names) ? names.flatMap((one) => nameIn(one)) : [] }
}

function nameIn(value: unknown): NameCount[] {
  const { kind: kindOf, name, number } = Object(value)
  const kind = nameKinds.find((one) => one === kindOf)
  if (!kind || !(name === null || typeof name === 'string')) return []
  return [{ kind, name, number: countIn(number) }]
}
