import {
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
import type { Claim, FineTime, FoundDocument, Inbox, KeptNo, ReadClaim } from '../inbox.ts'
import { type FirestoreConnection, firestoreConnection } from './connection.ts'
import { grpc } from './outage.ts'
import { EARLIEST, LATEST, timeIn, timestampIn } from './stored-time.ts'

const PAGE = 1000
/** A query that may pass over the index of a million takes longer than others. */
const PASSED_WITHIN_MS = 30_000
/** Of the 500 writes that Firestore takes in a commit. */
const IN_A_BATCH = 400

/** A request that was taken in stays as an empty document: a freed id would give its user an eleventh. */
const emptied = { email: FieldValue.delete(), subscribedAt: FieldValue.delete() }

/**
 * What visitors wrote into Firestore, by Google's application default credentials;
 * `FIRESTORE_EMULATOR_HOST` selects an emulator instead.
 *
 * @param projectId that of the credentials, if not given.
 * @param log gets a sentence when an outage begins and when it ends.
 */
export function firestoreInbox(
  projectId: string | undefined,
  appId: string,
  log: (message: string) => void,
): Inbox {
  const connection = firestoreConnection(projectId, log)
  const { db, use, close } = connection
  const list = db.collection(subscribersPath(appId).slice(1))
  const requests = db.collection(confirmationRequestsPath(appId).slice(1))
  const state = db.doc(`artifacts/${appId}`).collection('state')
  const claimed = state.doc('inbox')
  const noes = claimed.collection('noes')

  /** The documents that have an address and a time, in the order of the index for both. */
  const timed = (since: FineTime) =>
    list
      .where('email', '>=', '')
      .where('subscribedAt', '>=', timestampOf(since))
      .where('subscribedAt', '<', LATEST)

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
    writeClaim: (claim, before) => commit(putClaim(db.batch(), claim, before)),

    async noes(after) {
      const inOrder = noes.orderBy(FieldPath.documentId()).limit(PAGE)
      const { docs } = await use(() =>
        (after === undefined ? inOrder : inOrder.startAfter(after)).get(),
      )
      return docs.flatMap((document) => noIn(document) ?? [])
    },

    keepNoes(some, claim, before) {
      const batch = putClaim(db.batch(), claim, before)
      for (const { key, standing, at } of some) batch.set(noes.doc(key), { standing, at })
      return commit(batch)
    },

    async documents(since, after) {
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

    async count(until) {
      const all = timed(fineTime(EARLIEST)).where('subscribedAt', '<=', timestampOf(until))
      return (await use(() => all.count().get(), PASSED_WITHIN_MS)).data().count
    },

    async requests() {
      // A document without an address is not in this index.
      const { docs, readTime } = await use(() => requests.orderBy('email').limit(PAGE).get())
      return {
        documents: docs.map(found),
        isMore: docs.length === PAGE,
        readAt: fineTime(readTime),
      }
    },

    emptyRequests: (ids) =>
      each(connection, ids, (batch, id) => batch.set(requests.doc(id), emptied, { merge: true })),

    async *of(email, among) {
      const all = { list, requests }[among].where('email', '==', email)
      const inOrder = all.orderBy(FieldPath.documentId()).limit(IN_A_BATCH)
      for (let last: QueryDocumentSnapshot | undefined; ; ) {
        const { docs } = await use(() => (last ? inOrder.startAfter(last) : inOrder).get())
        if (docs.length > 0) yield docs.map(found)
        if (docs.length < IN_A_BATCH) return
        last = docs.at(-1)
      }
    },

    remove: (ids) => each(connection, ids, (batch, id) => batch.delete(list.doc(id))),

    close,
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
