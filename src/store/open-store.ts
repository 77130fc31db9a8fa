import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addressIds } from '../keys/address-id.ts'
import { keptLinkKey } from '../keys/link-key.ts'
import type { firestoreInbox } from './firestore/inbox.ts'
import { isKeyGone, LIST } from './list-at-rest.ts'
import { type SqliteStore, sqliteStore } from './sqlite/sqlite-store.ts'
import type { Collecting, Store } from './store.ts'
import { StoreMismatch, StoreUnavailable } from './subscriber-store.ts'
import { isUnderUpdate } from './under-update.ts'

export { checkCopy } from './sqlite/copy.ts'
export { type HeldList, heldAlone } from './sqlite/list-file.ts'
export { isOutage } from './sqlite/outage.ts'

export interface StoreOptions {
  /** The folder of the data on this machine, which must exist. */
  readonly dataDir: string
  readonly appId: string
  /** The secret `LINK_KEY`. */
  readonly linkKey: Buffer
  /** Whether an update tries this program on the list: until it is done, no other one opens it. */
  readonly isTrial?: boolean
  /** Gets a sentence when an outage begins and when it ends; without addresses. */
  readonly log: (message: string) => void
}

/** A store, with the place of its subscribers in words for the operator. */
export interface OpenedStore {
  readonly store: Store
  readonly place: string
  readonly backups: SqliteStore['backups']
  /** The list's side of taking in from Firestore. */
  readonly collecting: Collecting
}

export type Inbox = ReturnType<typeof firestoreInbox>

/** Where visitors of a page on Firebase write. */
export interface InboxOptions {
  /** The Google Cloud project; that of the credentials, if not given. */
  readonly projectId: string | undefined
  readonly appId: string
}

/**
 * The secret `LINK_KEY` of a data folder, made when first needed.
 *
 * @throws StoreMismatch where the list there was kept with one that is gone: with another, no link of an
 *   earlier letter would work, and nobody who left would be recognised.
 */
export function linkKeyIn(dataDir: string): Buffer {
  if (isKeyGone(dataDir))
    throw new StoreMismatch(
      `link.key is missing in ${dataDir}, with which the list there was kept: put it back from a back-up, or set LINK_KEY if it was that`,
    )
  return keptLinkKey(dataDir)
}

/** @throws StoreMismatch while only the version that is tried may open the list. */
export function refuseUnderUpdate(dataDir: string): void {
  if (isUnderUpdate(dataDir))
    throw new StoreMismatch(
      `An update of the list in ${dataDir} is under way, or was interrupted: to update again ends it.`,
    )
}

/** @throws StoreUnavailable when the packages that it needs are not there. */
export async function openInbox({ projectId, appId }: InboxOptions): Promise<Inbox> {
  const { firestoreInbox } = await import('./firestore/inbox.ts').catch(explain)
  return firestoreInbox(projectId, appId)
}

/**
 * Opens the list of the settings.
 *
 * @throws StoreMismatch when a SQLite file is of another version or of another product.
 */
export async function openStore(options: StoreOptions): Promise<OpenedStore> {
  const { dataDir, appId, linkKey, log } = options
  const ids = addressIds(linkKey)
  if (!options.isTrial) refuseUnderUpdate(dataDir)
  const file = join(dataDir, LIST)
  const store = sqliteStore({ file, appId, addressIds: ids, log })
  // A mismatch is thrown at the start, since only the operator can end it. Other errors are thrown
  // when the store is used: an outage may be over by then.
  if (existsSync(file))
    try {
      store.open()
    } catch (cause) {
      if (cause instanceof StoreMismatch) throw cause
    }
  const { backups, collecting } = store
  return { store, place: file, backups, collecting }
}

function explain(cause: NodeJS.ErrnoException): never {
  if (cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause
  throw new StoreUnavailable(
    'Google\'s library for Firestore is missing: run "npm ci --prefix src/store/firestore"',
    { cause },
  )
}
