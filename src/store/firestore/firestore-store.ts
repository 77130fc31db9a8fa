import type { AddressIds } from '../../keys/address-id.ts'
import type { Store } from '../store.ts'
import { firestoreConnection } from './connection.ts'
import { firestoreLedger } from './ledger.ts'
import { firestoreList } from './list.ts'
import { firestoreLock } from './lock.ts'
import { firestoreOutbox } from './outbox.ts'
import { firestorePaths } from './paths.ts'
import { firestoreRecords } from './records.ts'
import { firestoreRestore } from './restore.ts'
import { firestoreSignUps } from './sign-ups.ts'
import { firestoreSources } from './sources.ts'
import { firestoreStandings } from './standings.ts'
import { withVersion } from './version-gate.ts'
import { firestoreVisits } from './visits.ts'

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
 */
export function firestoreStore(options: FirestoreStoreOptions): Store {
  const { projectId, appId, addressIds, log } = options
  const bare = firestoreConnection(projectId, log)
  const paths = firestorePaths(bare.db, appId)
  const connection = withVersion(bare, paths, log)
  const records = firestoreRecords(connection, appId)
  const standings = firestoreStandings(connection, paths, records, addressIds)
  const list = firestoreList(connection, paths, records, standings, addressIds)
  const sources = firestoreSources(connection, paths, records, standings, addressIds)
  const { keepFirst: _, ...kept } = sources
  const { unsubscribe, setStanding, forget, forgetAll, standing } = standings

  return {
    ...firestoreSignUps(connection, records, sources, list),
    ...{ unsubscribe, setStanding, forget, forgetAll, standing },
    ...list,
    ...firestoreLedger(connection, paths, records, standings, list, addressIds),
    ...firestoreLock(connection, paths.runLock),
    ...firestoreRestore(connection, paths, standings),
    ...firestoreOutbox(connection, paths, records, standings, addressIds),
    ...kept,
    ...firestoreVisits(connection, paths),
  }
}
