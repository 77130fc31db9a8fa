import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addressIds } from '../keys/address-id.ts'
import type { SealState } from '../keys/seal-key.ts'
import type { Backups, CopiedKeys, Copies, CopyReading } from './backups.ts'
import type { BrowserRequests } from './browser-requests.ts'
import type { ListLook, TakenBack } from './list-file.ts'
import { sqliteCopies } from './sqlite/copies.ts'
import { contentOfOwn, noteOf, readCopy } from './sqlite/copy.ts'
import { takeBack } from './sqlite/downgrade.ts'
import { lookAtFile } from './sqlite/list-file.ts'
import { newestVersion } from './sqlite/migrations/all.ts'
import { sqliteStore } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'
import { StoreMismatch, StoreUnavailable } from './subscriber-store.ts'

const LIST = 'subscribers.sqlite'

/** What the setting `STORE` may be. */
export type StoreKind = 'sqlite' | 'firestore'

export interface StoreOptions {
  readonly kind: StoreKind
  /** For `sqlite`, the folder for what is kept on this machine; it must be there. */
  readonly dataDir: string
  /** For `firestore`, the Google Cloud project; that of the credentials, if not given. */
  readonly projectId?: string | undefined
  readonly appId: string
  /** The secret `LINK_KEY`. */
  readonly linkKey: Buffer
  /** Told in a sentence when the store cannot be used and when it can again; never an address. */
  readonly log: (message: string) => void
  /**
   * Is told of each group of sign-ups that was committed, and of the seconds until it was on disk; on
   * Firestore, where each is written by itself, never.
   */
  readonly onCommit?: ((signUps: number, seconds: number) => void) | undefined
}

/** A store, and where it keeps its subscribers, in words for the operator. */
export interface OpenedStore {
  readonly store: Store
  readonly place: string
  readonly copies: Copies
  /** `undefined` where the store's own keeper makes copies. */
  readonly backups: Backups | undefined
  /** `undefined` where no browser reaches the store. */
  readonly browserRequests: BrowserRequests | undefined
}

/**
 * Picks the store; the only place that names one.
 *
 * @throws StoreUnavailable when the packages that it needs are not there.
 * @throws StoreMismatch when a SQLite file is of a newer version or of another product.
 */
export async function openStore(options: StoreOptions): Promise<OpenedStore> {
  const { kind, dataDir, projectId, appId, linkKey, log, onCommit } = options
  const ids = addressIds(linkKey)
  const common = { appId, addressIds: ids, log }
  if (kind === 'firestore') {
    const { firestoreStore } = await import('./firestore/firestore-store.ts').catch(explain)
    const place = `Firestore, under artifacts/${appId}${projectId ? ` of ${projectId}` : ''}`
    const store = firestoreStore({ projectId, ...common })
    const { browserRequests } = store
    const copies = sqliteCopies(store, ids, appId)
    return { store, place, copies, backups: undefined, browserRequests }
  }
  const file = join(dataDir, LIST)
  const store = sqliteStore({ file, ...common, onCommit })
  // A mismatch is said at the start, as only an operator can end it. Anything else is said when the
  // store is used: an outage may be over by then, and an old file is brought up.
  if (existsSync(file))
    try {
      store.open()
    } catch (cause) {
      if (cause instanceof StoreMismatch) throw cause
    }
  const copies = sqliteCopies(store, ids, appId)
  return { store, place: file, copies, backups: store.backups, browserRequests: undefined }
}

/** The keys in a copy, which anybody may have made. @throws StoreUnavailable */
export function keysInCopy(file: string): CopiedKeys {
  return noteOf(file).keys
}

/** What a copy of this list held, as `contentOfOwn` has it. */
export function contentOfOwnCopy(file: string, appId: string, linkKey: Buffer) {
  return contentOfOwn(file, appId, addressIds(linkKey).fingerprint)
}

/**
 * Reads a copy through as a restore does, before there is a store to restore it to.
 *
 * @param linkKey the one to hold it to. @returns its keys, and what its seal is worth.
 * @throws StoreUnavailable with what is wrong
 */
export async function refuseWrongCopy(
  file: string,
  appId: string,
  linkKey: Buffer,
  reading: CopyReading,
): Promise<{ readonly keys: CopiedKeys; readonly seal: SealState }> {
  const { fingerprint } = addressIds(linkKey)
  const looked = ({ note, seal }: { note: { keys: CopiedKeys }; seal: SealState }) => ({
    keys: note.keys,
    seal,
  })
  return readCopy(file, appId, fingerprint, looked, reading)
}

/** Whether there is a list in a data folder, of whatever version. */
export const isListIn = (dataDir: string) => existsSync(join(dataDir, LIST))

/** Looks into a list of any version. @returns `undefined` where there is none. */
export function lookAtList(dataDir: string): ListLook | undefined {
  const file = join(dataDir, LIST)
  return existsSync(file) ? lookAtFile(file) : undefined
}

/** Takes a list that no server uses back to an older version, as `takeBack` does. */
export function takeListBack(
  dataDir: string,
  appId: string,
  to: number,
): Promise<TakenBack | undefined> {
  return takeBack(join(dataDir, LIST), appId, to)
}

/** Of the stored data, which this program brings an older list up to. */
export const newestListVersion = newestVersion

function explain(cause: NodeJS.ErrnoException): never {
  if (cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause
  throw new StoreUnavailable(
    'STORE: firestore needs its packages: run "npm ci --prefix src/store/firestore"',
    { cause },
  )
}
