import {
  type CollectionReference,
  FieldPath,
  type Query,
  type QueryDocumentSnapshot,
  type QuerySnapshot,
  Timestamp,
} from '@google-cloud/firestore'
import { batches } from '../../shared/batches.ts'
import { isCheckAddress } from '../../shared/check-address.ts'
import { parseEmail } from '../../shared/email.ts'
import { subscribersPath } from '../../shared/subscriber.ts'
import type { FirestoreConnection } from './connection.ts'

/**
 * One document of the subscribers' collection. Whoever signs up, in the browser or on our server,
 * makes a new one at a random id, so an address may have many: one subscriber, at its earliest time.
 */
export interface SubscriberRecord {
  readonly id: string
  readonly email: string
  readonly at: Timestamp
}

/** An address with all its records as one. */
export interface MergedRecord extends Omit<SubscriberRecord, 'id'> {
  /** As `lastSignUp` has it. */
  readonly last: Timestamp | undefined
}

const PAGE = 2000
const QUESTIONS_AT_ONCE = 50

export interface FirestoreRecords {
  readonly collection: CollectionReference
  /** The query for an address's documents. */
  of(email: string): Query
  /** All records of each of these addresses. @throws StoreUnavailable */
  ofMany(emails: readonly string[]): Promise<Map<string, SubscriberRecord[]>>
  /**
   * Every address once, in order of address, in constant memory. One read is charged for each
   * document: whoever only wants to count them pays the same.
   *
   * @throws StoreUnavailable
   */
  scan(): AsyncIterable<MergedRecord>
}

export function firestoreRecords(
  { db, use }: FirestoreConnection,
  appId: string,
): FirestoreRecords {
  const collection = db.collection(subscribersPath(appId).slice(1))
  const byAddress = collection
    .where('email', '>=', '')
    .orderBy('email')
    .orderBy(FieldPath.documentId())
    .limit(PAGE)

  const of = (email: string) => collection.where('email', '==', email)

  return {
    collection,
    of,

    async ofMany(emails) {
      const found = new Map<string, SubscriberRecord[]>()
      for await (const group of batches(emails, QUESTIONS_AT_ONCE)) {
        const answers = await Promise.all(group.map((email) => use(() => of(email).get())))
        for (const [i, email] of group.entries()) found.set(email, recordsIn(answers[i]))
      }
      return found
    },

    async *scan() {
      let last: QueryDocumentSnapshot | undefined
      let merged: MergedRecord | undefined
      for (;;) {
        // By address and id, so that whatever is added meanwhile moves nobody to another page.
        const page = await use(() =>
          (last ? byAddress.startAfter(last.get('email'), last.id) : byAddress).get(),
        )
        for (const record of recordsIn(page)) {
          const { email, at } = record
          const own = isOwn(record) ? at : undefined
          if (merged?.email !== email) {
            if (merged) yield merged
            merged = { email, at, last: own }
          } else
            merged = {
              email,
              at: at < merged.at ? at : merged.at,
              last: own && !(merged.last && own < merged.last) ? own : merged.last,
            }
        }
        last = page.docs.at(-1)
        if (page.size < PAGE) break
      }
      if (merged) yield merged
    },
  }
}

/** What counts among documents: anybody who is signed in may have written them. */
export function recordsIn(answer: QuerySnapshot | undefined): SubscriberRecord[] {
  return (answer?.docs ?? []).flatMap((document) => {
    const email: unknown = document.get('email')
    const at: unknown = document.get('subscribedAt')
    const counts =
      typeof email === 'string' &&
      at instanceof Timestamp &&
      parseEmail(email) === email &&
      !isCheckAddress(email)
    return counts ? { id: document.id, email, at } : []
  })
}

export function earliest(records: readonly SubscriberRecord[]): SubscriberRecord | undefined {
  return records.toSorted(byTime)[0]
}

/** As our server makes them, and as pages do: in this version and in those before. */
const SIGN_UP_ID = /^([A-Za-z0-9]{20}|[0-9a-f]{64})$/

/** When somebody last signed up. An import, whose ids have another form, is nobody's own act. */
export function lastSignUp(records: readonly SubscriberRecord[]): Timestamp | undefined {
  return records.filter(isOwn).toSorted(byTime).at(-1)?.at
}

function isOwn({ id }: SubscriberRecord): boolean {
  return SIGN_UP_ID.test(id)
}

/** Firestore's own precision, in a number that is exact. */
export function microseconds({ seconds, nanoseconds }: Timestamp): number {
  return seconds * 1e6 + Math.floor(nanoseconds / 1000)
}

function byTime(one: SubscriberRecord, other: SubscriberRecord): number {
  return one.at < other.at ? -1 : one.at > other.at ? 1 : 0
}
