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
/** Two writes each, of the 500 that Firestore takes in a commit. */
const MOST = 250
/** Those that another server took are not met again. */
const MOST_REMEMBERED = 10 * PAGE

/**
 * What is left of a request that was taken in: an empty document. So its place stays taken, and a
 * visitor has ten of them as on the list (decision 027).
 */
export const takenIn = { email: FieldValue.delete(), subscribedAt: FieldValue.delete() }

/** Those that wait: a document without an address is not in the index that this reads. */
export function waitingRequests({
  browserRequests,
}: Pick<FirestorePaths, 'browserRequests'>): Query {
  return browserRequests.orderBy('email')
}

/** @param mostRemembered of those whose move failed, for a test to have few. */
export function firestoreBrowserRequests(
  { db, use }: FirestoreConnection,
  paths: Pick<FirestorePaths, 'browserRequests' | 'outbox'>,
  mostRemembered = MOST_REMEMBERED,
): BrowserRequests {
  /** Where to go on, so that a flood which keeps coming holds nobody up who comes after it. */
  let after: QueryDocumentSnapshot | undefined
  /** What was said of those whose move failed: it counts whom it is asked about. */
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
 * Erases those that have waited since before then, also where nobody takes them in any more. All that
 * wait are read: `firestore.indexes.json` has no index of their times, which would slow visitors.
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
    // That of `check-site` is nobody's.
    if (!record || !isSubscribers(record.email)) continue
    const other = last.get(record.email)
    if (!other || other.at < record.at) last.set(record.email, record)
  }
  return new Set([...last.values()].map(({ id }) => id))
}

/** Another server was first with one of them. The others stay, for the next time. */
function unlessTaken(error: { code?: number }): void {
  const { notFound, alreadyExists, failedPrecondition, aborted } = grpc
  const expected = [notFound, alreadyExists, failedPrecondition, aborted]
  if (!expected.includes(error.code ?? 0)) throw error
}
