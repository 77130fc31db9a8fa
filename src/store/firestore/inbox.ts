import {
  type CollectionReference,
  type DocumentReference,
  type DocumentSnapshot,
  FieldPath,
  FieldValue,
  type QueryDocumentSnapshot,
  Timestamp,
  type WriteBatch,
} from '@google-cloud/firestore'
import { standings } from '../../people/standing.ts'
import { batches } from '../../shared/batches.ts'
import { confirmationRequestsPath, subscribersPath } from '../../shared/subscriber.ts'
import type {
  Claim,
  FineTime,
  FoundDocument,
  FoundPage,
  KeptNo,
  Place,
  ReadClaim,
} from '../inbox.ts'
import { type FirestoreConnection, firestoreConnection } from './connection.ts'
import { grpc } from './outage.ts'

const PAGE = 1000
/** A query that may pass over the index of a million takes longer than others. */
const PASSED_WITHIN_MS = 30_000
/** Of the 500 writes that Firestore takes in a commit. */
const IN_A_BATCH = 400

/** A request that was taken in stays as an empty document: a freed id would give its user an eleventh. */
const emptied = { email: FieldValue.delete(), subscribedAt: FieldValue.delete() }

/**
 * What visitors wrote into Firestore, by Google's application default credentials;
 * `FIRESTORE_EMULATOR_HOST` selects an emulator instead. Each method throws InboxUnavailable where
 * Google is away.
 *
 * @param projectId that of the credentials, if not given.
 */
export function firestoreInbox(projectId: string | undefined, appId: string) {
  const connection = firestoreConnection(projectId)
  const { db, close } = connection
  const list = db.collection(subscribersPath(appId).slice(1))
  const requests = db.collection(confirmationRequestsPath(appId).slice(1))
  const state = db.doc(`artifacts/${appId}`).collection('state')
  return {
    ...claimOf(connection, state.doc('inbox')),
    ...documentsOf(connection, list),
    ...requestsOf(connection, requests),

    /** All documents of an address, on the list or among the requests, in pages. */
    of: (email: string, among: 'list' | 'requests') =>
      documentsWith(connection, email, { list, requests }[among]),

    close,
  }
}

function claimOf({ db, use }: FirestoreConnection, claimed: DocumentReference) {
  const noes = claimed.collection('noes')

  /** @returns whether the claim was as it was read. */
  async function commit(batch: WriteBatch): Promise<boolean> {
    return use(() => batch.commit().then(() => true, refusedBy))
  }

  function putClaim(batch: WriteBatch, claim: Claim, before: ReadClaim | undefined) {
    const fields = { ...claim, at: FieldValue.serverTimestamp() }
    if (!before) return batch.create(claimed, fields)
    return batch.update(claimed, fields, { lastUpdateTime: timestampOf(before.version) })
  }

  return {
    claim: async () => claimIn(await use(() => claimed.get())),

    /** Writes the first claim, or one in the place of `before`. @returns whether nobody was faster. */
    writeClaim: (claim: Claim, before: ReadClaim | undefined) =>
      commit(putClaim(db.batch(), claim, before)),

    /** The noes in order of their keys. @param after the last key of the page before. */
    async noes(after: string | undefined): Promise<KeptNo[]> {
      const inOrder = noes.orderBy(FieldPath.documentId()).limit(PAGE)
      const { docs } = await use(() =>
        (after === undefined ? inOrder : inOrder.startAfter(after)).get(),
      )
      return docs.flatMap((document) => noIn(document) ?? [])
    },

    /** Keeps noes, a few hundred at most, and the claim with their number. @returns as `writeClaim`. */
    keepNoes(some: readonly KeptNo[], claim: Claim, before: ReadClaim) {
      const batch = putClaim(db.batch(), claim, before)
      for (const { key, standing, at } of some) batch.set(noes.doc(key), { standing, at })
      return commit(batch)
    },
  }
}

function documentsOf(connection: FirestoreConnection, list: CollectionReference) {
  const { use } = connection

  /** The documents that have an address and a time, in the order of the index for both. */
  const timed = (since: FineTime) =>
    list
      .where('email', '>=', '')
      .where('subscribedAt', '>=', timestampOf(since))
      .where('subscribedAt', '<', LATEST)

  return {
    /** Documents of the list since a time, in order of their addresses. */
    async documents(since: FineTime, after: Place | undefined): Promise<FoundPage> {
      const inOrder = timed(since)
        .orderBy('email')
        .orderBy('subscribedAt')
        .orderBy(FieldPath.documentId())
        .limit(PAGE)
      const begun = after
        ? inOrder.startAfter(after.email, timestampOf(after.at), after.id)
        : inOrder
      const { docs, readTime } = await use(() => begun.get(), PASSED_WITHIN_MS)
      const last = docs.at(-1)
      return {
        documents: docs.map(found),
        next:
          last && docs.length === PAGE
            ? { email: last.get('email'), at: fineTime(last.get('subscribedAt')), id: last.id }
            : undefined,
        readAt: fineTime(readTime),
      }
    },

    /** How many documents `documents` would give from the beginning to this time. */
    async count(until: FineTime): Promise<number> {
      const all = timed(fineTime(EARLIEST)).where('subscribedAt', '<=', timestampOf(until))
      return (await use(() => all.count().get(), PASSED_WITHIN_MS)).data().count
    },

    /** Removes documents of the list. */
    remove: (ids: readonly string[]) =>
      each(connection, ids, (batch, id) => batch.delete(list.doc(id))),
  }
}

function requestsOf(connection: FirestoreConnection, requests: CollectionReference) {
  return {
    /** Requests to confirm that wait, a thousand at most. `readAt` is by Google's clock. */
    async requests() {
      // A document without an address is not in this index.
      const inOrder = requests.orderBy('email').limit(PAGE)
      const { docs, readTime } = await connection.use(() => inOrder.get())
      return {
        documents: docs.map(found),
        isMore: docs.length === PAGE,
        readAt: fineTime(readTime),
      }
    },

    /** Empties requests, whose ids stay taken: a visitor has ten. */
    emptyRequests: (ids: readonly string[]) =>
      each(connection, ids, (batch, id) => batch.set(requests.doc(id), emptied, { merge: true })),
  }
}

async function* documentsWith(
  { use }: FirestoreConnection,
  email: string,
  among: CollectionReference,
): AsyncIterable<readonly FoundDocument[]> {
  const all = among.where('email', '==', email)
  const inOrder = all.orderBy(FieldPath.documentId()).limit(IN_A_BATCH)
  for (let last: QueryDocumentSnapshot | undefined; ; ) {
    const { docs } = await use(() => (last ? inOrder.startAfter(last) : inOrder).get())
    if (docs.length > 0) yield docs.map(found)
    if (docs.length < IN_A_BATCH) return
    last = docs.at(-1)
  }
}

/** Changes documents in commits of Firestore's size. */
async function each(
  { db, use }: FirestoreConnection,
  ids: readonly string[],
  change: (batch: WriteBatch, id: string) => void,
): Promise<void> {
  for await (const some of batches(ids, IN_A_BATCH)) {
    const batch = db.batch()
    for (const id of some) change(batch, id)
    await use(() => batch.commit())
  }
}

/** Somebody else changed the claim first. */
function refusedBy(error: { code?: number }): false {
  const { notFound, alreadyExists, failedPrecondition, aborted } = grpc
  if ([notFound, alreadyExists, failedPrecondition, aborted].includes(error.code ?? 0)) return false
  throw error
}

const timestampOf = ({ seconds, nanoseconds }: FineTime) => new Timestamp(seconds, nanoseconds)

const fineTime = ({ seconds, nanoseconds }: Timestamp): FineTime => ({ seconds, nanoseconds })

function found(document: QueryDocumentSnapshot): FoundDocument {
  const fields = document.data()
  const at = timestampIn(fields.subscribedAt)
  return {
    id: document.id,
    fields: Object.keys(fields),
    email: fields.email,
    subscribedAt: at && fineTime(at),
  }
}

/** @throws where another program wrote it: no list may take it for its own. */
function claimIn(document: DocumentSnapshot): ReadClaim | undefined {
  const fields = document.data()
  if (!fields || !document.updateTime) return undefined
  return {
    list: String(fields.list),
    generation: Number(fields.generation),
    noes: Number(fields.noes),
    key: String(fields.key),
    machine: String(fields.machine),
    at: timeIn(fields.at),
    version: fineTime(document.updateTime),
  }
}

function noIn(document: QueryDocumentSnapshot): KeptNo | undefined {
  const standing = standings.find((one) => one === document.get('standing'))
  return standing && { key: document.id, standing, at: timeIn(document.get('at')) }
}

/** Stored times begin in 1970, as in a file of SQLite. */
const EARLIEST = new Timestamp(0, 0)

/** Until here microseconds are whole numbers in JavaScript, and no real time is later. */
const LATEST = Timestamp.fromDate(new Date('2200-01-01T00:00:00Z'))

/**
 * Reads a time that anybody may have written. @returns `undefined` for invalid ones, such as the
 * year 9999.
 */
function timestampIn(value: unknown): Timestamp | undefined {
  return value instanceof Timestamp && value >= EARLIEST && value < LATEST ? value : undefined
}

/** Reads the time of something that did happen: an invalid time becomes 1970. */
function timeIn(value: unknown): Date {
  return (timestampIn(value) ?? EARLIEST).toDate()
}
