import { join } from 'node:path'
import { addressIds } from '../shared/address-id.ts'
import type { Backups } from './backups.ts'
import { type Copies, copies } from './copies.ts'
import { sqliteStore } from './sqlite-store.ts'
import type { Store } from './store.ts'

export interface StoreOptions {
  /** The folder for what is kept on this machine; it must be there. */
  readonly dataDir: string
  readonly appId: string
  /** The secret `LINK_KEY`. */
  readonly linkKey: Buffer
  /** Told in a sentence when the store cannot be used and when it can again; never an address. */
  readonly log: (message: string) => void
}

/** A store, and where it keeps its subscribers, in words for the operator. */
export interface OpenedStore {
  readonly store: Store
  readonly place: string
  readonly copies: Copies
  /** `undefined` where the store's own keeper makes copies. */
  readonly backups: Backups | undefined
}

/** Picks the store; the only place that names one. */
export function openStore({ dataDir, appId, linkKey, log }: StoreOptions): OpenedStore {
  const file = join(dataDir, 'subscribers.sqlite')
  const ids = addressIds(linkKey)
  const store = sqliteStore({ file, appId, addressIds: ids, log })
  return { store, place: file, copies: copies(store, ids, appId), backups: store.backups }
}
