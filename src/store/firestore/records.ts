import type {
  CollectionReference,
  DocumentSnapshot,
  Query,
  QuerySnapshot,
  Timestamp,
  Transaction,
} from '@google-cloud/firestore'
import { batches } from '../../shared/batches.ts'
import { parseEmail } from '../../shared/email.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import { subscribersPath } from '../../shared/subscriber.ts'
import type { FirestoreConnection } from './connection.ts'
import { EARLIEST, LATEST, timestampIn } from './stored-time.ts'

/**
 * One document of the subscribers' collection. Each sign-up, in the browser or on our server, makes
 * a new one at a random id, so an address may have many: it is one subscriber, with its earliest
 * time.
 */
export interface SubscriberRecord {
  readonly id: string
  readonly email: string
  readonly at: Timestamp
  /**
   * When they signed up at the page, by this record: an import says nothing of it, unless a copy
   * was restored.
   */
  readonly page: Timestamp | undefined
}

/** The times of an address's sign-ups, as far as they are known. */
export interface SignUps {
  readonly first?: Timestamp | undefined
  readonly last?: Timestamp | undefined
  /** The first at the page; none of those who came by an import alone. */
  readonly page?: Timestamp | undefined
}

const QUESTIONS_AT_ONCE = 50
/**
 * How many of the newest records are read: at most one is an import's, whose id is derived from the
 * address.
 */
const NEWEST = 2

/**
 * A visitor may leave an address any number of times, so of one address only the first and the last
 * records are read, by the composite indexes in `firestore.indexes.json`.
 */
export interface FirestoreRecords {
  readonly collection: CollectionReference
  /**
   * The query for all documents of an address, which may be many: only with a limit, or to count.
   */
  of(email: string): Query
  /**
   * An address's first record, or its first after a time; `undefined` while there is none.
   *
   * @throws StoreUnavailable
   */
  firstOf(email: string, after?: Timestamp): Promise<SubscriberRecord | undefined>
  /** When its owner last signed up, which an import is not. @throws StoreUnavailable */
  last(email: string, work?: Transaction): Promise<Timestamp | undefined>
  /** Both, of each of these addresses. @throws StoreUnavailable */
  signUps(emails: readonly string[]): Promise<Map<string, SignUps>>
}

export function firestoreRecords(
  { db, use }: FirestoreConnection,
  appId: string,
): FirestoreRecords {
  const collection = db.collection(subscribersPath(appId).slice(1))
  const of = (email: string) => collection.where('email', '==', email)
  // Only times: other values sort before or after them.
  const inOrder = (email: string, order: 'asc' | 'desc') =>
    of(email)
      .where('subscribedAt', '>=', EARLIEST)
      .where('subscribedAt', '<', LATEST)
      .orderBy('subscribedAt', order)
  const oldest = (email: string, limit: number) => inOrder(email, 'asc').limit(limit)
  const newest = (email: string) => inOrder(email, 'desc').limit(NEWEST)

  async function last(email: string, work?: Transaction) {
    const query = newest(email)
    return lastSignUp(recordsIn(await (work ? work.get(query) : use(() => query.get()))))
  }

  async function signUpsOf(email: string): Promise<SignUps> {
    // Most addresses have no more records than this.
    const some = await use(() => oldest(email, NEWEST + 1).get())
    const found = recordsIn(some)
    const isAll = some.size <= NEWEST
    const page = found.reduce<Timestamp | undefined>(
      (first, one) => earlier(first, one.page),
      undefined,
    )
    return { first: found[0]?.at, last: isAll ? lastSignUp(found) : await last(email), page }
  }

  return {
    collection,
    of,
    last,

    async firstOf(email, after) {
      const first = oldest(email, 1)
      return recordsIn(await use(() => (after ? first.startAfter(after) : first).get()))[0]
    },

    async signUps(emails) {
      const found = new Map<string, SignUps>()
      for await (const group of batches(emails, QUESTIONS_AT_ONCE)) {
        const answers = await Promise.all(group.map(signUpsOf))
        for (const [i, email] of group.entries()) found.set(email, answers[i] ?? {})
      }
      return found
    },
  }
}

/** A document that has an address of some kind and a time; anybody may have written it. */
export function recordIn(document: DocumentSnapshot): SubscriberRecord | undefined {
  const email: unknown = document.get('email')
  const at = timestampIn(document.get('subscribedAt'))
  if (typeof email !== 'string' || !at) return undefined
  const { id } = document
  return { id, email, at, page: isSignUp({ id }) ? at : timestampIn(document.get('signedUpAt')) }
}

/** The earlier of two times that may be missing. */
export function earlier(one: Timestamp | undefined, other: Timestamp | undefined) {
  return one && other ? (other < one ? other : one) : (one ?? other)
}

/** Whether records of an address make a subscriber. */
export function isSubscribers(email: string): boolean {
  return parseEmail(email) === email && !isProbeAddress(email)
}

/** The documents that count, in their order. */
export function recordsIn(answer: QuerySnapshot): SubscriberRecord[] {
  return answer.docs
    .flatMap((document) => recordIn(document) ?? [])
    .filter(({ email }) => isSubscribers(email))
}

/** Ids as our server makes them, and as pages of this and older versions do. */
const SIGN_UP_ID = /^([A-Za-z0-9]{20}|[0-9a-f]{64})$/

/** Whether the record is of a sign-up. Imports have another form of ids. */
export function isSignUp({ id }: Pick<SubscriberRecord, 'id'>): boolean {
  return SIGN_UP_ID.test(id)
}

function lastSignUp(records: readonly SubscriberRecord[]): Timestamp | undefined {
  const times = records.filter(isSignUp).map(({ at }) => at)
  return times.reduce<Timestamp | undefined>(
    (last, at) => (last && last >= at ? last : at),
    undefined,
  )
}

/** Firestore's own precision, in a number that is exact. */
export function microseconds({ seconds, nanoseconds }: Timestamp): number {
  return seconds * 1e6 + Math.floor(nanoseconds / 1000)
}
