import { type DocumentReference, Timestamp } from '@google-cloud/firestore'
import type { AddressIds } from '../../shared/address-id.ts'
import { batches } from '../../shared/batches.ts'
import { isCheckAddress } from '../../shared/check-address.ts'
import type { Subscriber } from '../../shared/subscriber.ts'
import type { ImportOutcome, SubscriberList, TimeRange } from '../subscriber-list.ts'
import type { FirestoreConnection } from './firestore-connection.ts'
import {
  earliest,
  type FirestoreRecords,
  lastSignUp,
  type MergedRecord,
  microseconds,
} from './firestore-records.ts'
import { type FirestoreSuppressions, inForce } from './firestore-suppressions.ts'
import { knownAddresses } from './known-addresses.ts'
import { inOrderOfSignUp } from './sign-up-order.ts'

/** Firestore's limit for a transaction. */
const MOST_WRITES = 500

/** Reads every document, whatever the range: only all records of an address tell its time. */
export function firestoreList(
  connection: FirestoreConnection,
  records: FirestoreRecords,
  suppressions: FirestoreSuppressions,
  addressIds: AddressIds,
): SubscriberList {
  const { db, use, transaction } = connection
  const knownSince = knownAddresses(connection, records)
  const getAll = (places: readonly DocumentReference[]) => db.getAll(...places)

  async function* scanIn({ since, until }: TimeRange): AsyncIterable<MergedRecord> {
    const from = since?.getTime() ?? Number.NEGATIVE_INFINITY
    const to = until?.getTime() ?? Number.POSITIVE_INFINITY
    for await (const record of records.scan()) {
      const time = record.at.toMillis()
      if (time >= from && time < to) yield record
    }
  }

  /** @param times the earliest for each address. */
  async function importSome(
    times: readonly (readonly [string, Date])[],
  ): Promise<[string, ImportOutcome][]> {
    // At an id that follows from the address, so that imports at the same time make one document.
    const ids = times.map(([email]) => addressIds.of(email))
    const entryPlaces = ids.map((id) => suppressions.entries.doc(id))
    const places = ids.map((id) => records.collection.doc(id))
    const [imported, listed] = await use(() => Promise.all([getAll(places), getAll(entryPlaces)]))
    // Whether somebody who was forgotten is back has to be known for sure.
    const isListed = (_: unknown, i: number) => listed[i]?.exists ?? false
    const returned = await records.ofMany(times.filter(isListed).map(([email]) => email))
    // What an import left before is found by its id.
    const isNew = (_: unknown, i: number) => !imported[i]?.exists
    const known = await knownSince(times.filter(isNew).map(([email]) => email))

    return transaction(async (work) => {
      const [entries, before] = await Promise.all([
        work.getAll(...entryPlaces),
        work.getAll(...places),
      ])
      return times.map(([email, time], i) => {
        const [entry, place, theirs] = [entries[i], places[i], returned.get(email) ?? []]
        if (entry && inForce(entry, lastSignUp(theirs))?.reason === 'forgotten')
          return [email, 'forgotten']
        const subscribedAt = Timestamp.fromDate(time)
        const left: Timestamp | undefined = before[i]?.get('subscribedAt')
        const first = earliest(theirs)?.at
        const since = [
          first ? microseconds(first) : returned.has(email) ? undefined : known.get(email),
          left && microseconds(left),
        ].filter((at) => at !== undefined)
        if (place && !since.some((at) => at <= microseconds(subscribedAt)))
          work.set(place, { email, subscribedAt })
        return [email, since.length > 0 ? 'known' : 'added']
      })
    })
  }

  return {
    stream: (range = {}) => inOrderOfSignUp(scanIn(range)),

    async countIn(range) {
      let count = 0
      for await (const _ of scanIn(range)) count += 1
      return count
    },

    async importAll(subscribers) {
      await suppressions.bind()
      const outcomes = new Map<string, ImportOutcome>()
      for await (const group of batches(earliestTimes(subscribers), MOST_WRITES))
        for (const [email, outcome] of await importSome(group)) outcomes.set(email, outcome)
      return subscribers.map(({ email }) => {
        const outcome = outcomes.get(email) ?? 'known'
        // The second of two is known by then.
        if (outcome === 'added') outcomes.set(email, 'known')
        return outcome
      })
    },
  }
}

function earliestTimes(subscribers: readonly Subscriber[]): Map<string, Date> {
  const times = new Map<string, Date>()
  for (const { email, subscribedAt } of subscribers) {
    const other = times.get(email)
    if (!isCheckAddress(email) && (!other || subscribedAt < other)) times.set(email, subscribedAt)
  }
  return times
}
