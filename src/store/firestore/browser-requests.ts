import { FieldValue, type Query, type QueryDocumentSnapshot } from '@google-cloud/firestore'
import { batches } from '../../shared/batches.ts'
import type { BrowserRequests } from '../browser-requests.ts'
import type { Asked } from '../outbox.ts'
import type { FirestoreConnection } from './connection.ts'
import { grpc } from './outage.ts'
import { outboxRow } from './outbox-row.ts'
import { pagesOf } from './pages.ts'
import type { FirestorePaths } from './paths.ts'
import { isSubscribers, recordIn, type SubscriberRecord } from './records.ts'

const PAGE = 1000
/** Each takes two of the 500 writes of a commit. */
const MOST = 250
/** Requests that another server took need not be remembered. */
const MOST_REMEMBERED = 10 * PAGE

/**
 * A request that was taken in stays as an empty document. So its id stays taken, and a visitor has
 * ten of them, as on the list (decision 027).
 */
export const takenIn = { email: FieldValue.delete(), subscribedAt: FieldValue.delete() }

/** Waiting requests: a document without an address is not in this index. */
export function waitingRequests({
  browserRequests,
}: Pick<FirestorePaths, 'browserRequests'>): Query {
  return browserRequests.orderBy('email')
}

/** @param mostRemembered how many failed requests are remembered, for tests. */
export function firestoreBrowserRequests(
  { db, use }: FirestoreConnection,
  paths: Pick<FirestorePaths, 'browserRequests' | 'outbox'>,
  mostRemembered = MOST_REMEMBERED,
): BrowserRequests {
  /** Where to go on, so that an endless flood does not hold up later requests. */
  let after: QueryDocumentSnapshot | undefined
  /** The answers for requests whose move failed, since asking again would count them twice. */
  const unmoved = new Map<string, Asked>()

  async function move(
    some: readonly QueryDocumentSnapshot[],
    last: ReadonlySet<string>,
    askedOf: (email: string) => Asked,
  ) {
    const batch = db.batch()
    for (const document of some) {
      const record = recordIn(document)
      if (record && last.has(document.id)) {
        const asked = unmoved.get(document.id) ?? askedOf(record.email)
        unmoved.set(document.id, asked)
        batch.create(paths.outbox.doc(document.id), outboxRow(record.email, asked, record.at))
      }
      const { updateTime } = document
      batch.update(document.ref, takenIn, { lastUpdateTime: updateTime })
    }
    const forget = () => {
      for (const { id } of some) unmoved.delete(id)
    }
    await use(() => batch.commit().then(forget, unlessTaken))
  }

  return {
    async takeIn(askedOf) {
      if (unmoved.size > mostRemembered) unmoved.clear()
      const inOrder = waitingRequests(paths).limit(PAGE)
      const { docs } = await use(() => (after ? inOrder.startAfter(after) : inOrder).get())
      const isMore = docs.length === PAGE
      after = isMore ? docs.at(-1) : undefined
      const last = lastOfEach(docs)
      const moving = []
      for await (const some of batches(docs, MOST)) moving.push(move(some, last, askedOf))
      await Promise.all(moving)
      return isMore
    },
  }
}

/**
 * Erases requests from before then, also when no server takes them in any more. All waiting
 * requests are read: an index of their times would slow visitors.
 */
export async function dropBrowserRequests(
  { db, use }: Pick<FirestoreConnection, 'db' | 'use'>,
  paths: Pick<FirestorePaths, 'browserRequests'>,
  before: Date,
): Promise<void> {
  for await (const docs of pagesOf({ use }, waitingRequests(paths), MOST)) {
    const batch = db.batch()
    const old = docs.filter((document) => {
      const record = recordIn(document)
      return !record || record.at.toDate() < before
    })
    for (const { ref } of old) batch.update(ref, takenIn)
    if (old.length > 0) await use(() => batch.commit())
  }
}

/** The last request of each address. @returns their ids. */
function lastOfEach(documents: readonly QueryDocumentSnapshot[]): Set<string> {
  const last = new Map<string, SubscriberRecord>()
  for (const document of documents) {
    const record = recordIn(document)
    // The address of `check-site` is no subscriber's.
    if (!record || !isSubscribers(record.email)) continue
    const other = last.get(record.email)
    if (!other || other.at < record.at) last.set(record.email, record)
  }
  return new Set([...last.values()].map(({ id }) => id))
}

/** Ignores that another server took one of them first. The others stay for the next time. */
function unlessTaken(error: { code?: number }): void {
  const { notFound, alreadyExists, failedPrecondition, aborted } = grpc
  const expected = [notFound, alreadyExists, failedPrecondition, aborted]
  if (!expected.includes(error.code ?? 0)) throw error
}
