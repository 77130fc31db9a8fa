import { FieldValue } from '@google-cloud/firestore'
import type { AddressIds } from '../../keys/address-id.ts'
import { isCheckAddress } from '../../shared/check-address.ts'
import type { Store } from '../store.ts'
import { firestoreConnection } from './connection.ts'
import { firestoreLedger } from './ledger.ts'
import { firestoreList } from './list.ts'
import { firestoreLock } from './lock.ts'
import { grpc } from './outage.ts'
import { firestoreOutbox } from './outbox.ts'
import { firestorePaths } from './paths.ts'
import { firestoreRecords } from './records.ts'
import { firestoreRestore } from './restore.ts'
import { firestoreStandings } from './standings.ts'
import { withVersion } from './version-gate.ts'

export interface FirestoreStoreOptions {
  /** The Google Cloud project; that of the credentials, if not given. */
  readonly projectId?: string | undefined
  readonly appId: string
  readonly addressIds: AddressIds
  /** Told in a sentence when Firestore cannot be used and when it can again; never an address. */
  readonly log: (message: string) => void
}

/**
 * Keeps everything in the Firestore that the page writes to when it has no server. Credentials are
 * Google's application default ones; `FIRESTORE_EMULATOR_HOST` leads to an emulator instead.
 *
 * An `add` that was not answered in time is reported as failed and may still arrive; the repeat that
 * follows is merged with it.
 */
export function firestoreStore(options: FirestoreStoreOptions): Store {
  const { projectId, appId, addressIds, log } = options
  const bare = firestoreConnection(projectId, log)
  const paths = firestorePaths(bare.db, appId)
  const connection = withVersion(bare, paths, log)
  const records = firestoreRecords(connection, appId)
  const standings = firestoreStandings(connection, paths, records, addressIds)
  const list = firestoreList(connection, paths, records, standings, addressIds)
  const { use, close } = connection
  const { unsubscribe, setStanding, forget, standing } = standings

  /** Erasing nothing takes the way of every write. */
  async function checkWritable() {
    await use(() => records.collection.doc().delete())
  }

  return {
    ...list,
    ...{ unsubscribe, setStanding, forget, standing },
    ...firestoreLedger(connection, paths, records, standings, list, addressIds),
    ...firestoreLock(connection, paths.runLock),
    ...firestoreRestore(connection, paths, standings),
    ...firestoreOutbox(connection, paths, records, standings, addressIds),
    checkWritable,
    close,

    // As the browser does it: a new record each time, whoever it is. Nothing to look up, nothing to tell.
    async add(email) {
      if (isCheckAddress(email)) return checkWritable()
      const place = records.collection.doc()
      const record = { email, subscribedAt: FieldValue.serverTimestamp() }
      await use(() => place.create(record).catch(unlessKept))
    },

    async find(email) {
      const first = await records.firstOf(email)
      return first && { email, subscribedAt: first.at.toDate() }
    },

    count: () => list.countIn({ standing: 'all' }),
  }
}

/** The id is random: what is there already came with an attempt whose answer was lost. */
function unlessKept(error: { code?: number }): void {
  if (error.code !== grpc.alreadyExists) throw error
}
