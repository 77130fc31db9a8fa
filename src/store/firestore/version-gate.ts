import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreMismatch, StoreUnavailable } from '../subscriber-store.ts'
import { firestoreBringUp, type VersionTimes } from './bring-up.ts'
import type { FirestoreConnection } from './connection.ts'
import { firestoreMigrations } from './migrations/all.ts'
import type { FirestoreMigration } from './migrations/migration.ts'
import type { FirestorePaths } from './paths.ts'
import { isHeldByAnother, refuseNewer, versionIn } from './schema-version.ts'

const usual: VersionTimes = { believedMs: 5000, leaseMs: 60_000 }

/**
 * A connection that is used only while the stored data is of the program's version: it migrates
 * older data, and refuses newer data before a write. A document holds the version, and that of a
 * migration under way. Each process reads it every few seconds; a migrating process writes it
 * first, and waits until the calls of older programs are over.
 *
 * @param log gets a sentence, once, when a newer program has migrated the data.
 * @param migrations all steps; tests add to them.
 */
export function withVersion(
  connection: FirestoreConnection,
  paths: FirestorePaths,
  log: (message: string) => void,
  migrations: readonly FirestoreMigration[] = firestoreMigrations,
  times: VersionTimes = usual,
): FirestoreConnection {
  const { use, transaction } = connection
  const { believedMs } = times
  const newest = migrations.length
  const owner = randomUUID()
  const bringUp = firestoreBringUp(connection, paths, migrations, times, owner)
  let believedUntil = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  /** Whether the steps under way change documents, which takes longer than an answer from afar. */
  let takesLong = false
  let isRefused = false

  async function look() {
    for (;;) {
      const began = performance.now()
      const document = await use(() => paths.version.get())
      const kept = versionIn(document)
      refuseNewer(kept, newest)
      if (kept.version === newest) {
        takesLong = false
        isRefused = false
        believedUntil = began + believedMs
        return
      }
      // Read first: transactions by others would keep the holder of the lease from renewing it.
      const claimed = isHeldByAnother(document, owner) ? undefined : await bringUp.claim()
      if (claimed) {
        takesLong = claimed.wasKept
        await bringUp.take(claimed)
      } else {
        takesLong = !kept.isFirst
        await sleep(LOOK_AGAIN_MS)
      }
    }
  }

  /** Looks once for all callers that wait. */
  function lookOnce() {
    looking ??= look()
      .catch((error) => {
        if (error instanceof StoreMismatch && !isRefused) log(error.message)
        isRefused ||= error instanceof StoreMismatch
        throw error
      })
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  async function ensure() {
    const left = believedUntil - performance.now()
    if (left > believedMs / 2) return
    const seen = lookOnce()
    // An early look is not awaited, and no visitor waits for long steps.
    seen.catch(() => {})
    while (left <= 0 && (await Promise.race([seen, tooLong(seen)])) === TOO_LONG)
      if (takesLong)
        throw new StoreUnavailable(`The data in Firestore is being updated to version ${newest}.`)
  }

  /** The calls so far; the connection gets them only once the version is known. */
  const underWay = new Set<Promise<unknown>>()
  let closed: Promise<void> | undefined

  async function whenEnsured<T>(work: () => Promise<T>): Promise<T> {
    if (closed) throw new StoreUnavailable('The store is closed.')
    const asked = ensure().then(work)
    underWay.add(asked)
    try {
      return await asked
    } finally {
      underWay.delete(asked)
    }
  }

  return {
    ...connection,
    use: (work) => whenEnsured(() => use(work)),
    transaction: (work) => whenEnsured(() => transaction(work)),
    close() {
      closed ??= Promise.allSettled(underWay).then(() => connection.close())
      return closed
    },
  }
}

const LOOK_AGAIN_MS = 200
const WAIT_MS = 2000
const TOO_LONG = Symbol('too long')

async function tooLong(otherwise: Promise<unknown>): Promise<typeof TOO_LONG> {
  const enough = new AbortController()
  const ended = () => enough.abort()
  otherwise.then(ended, ended)
  await sleep(WAIT_MS, undefined, { signal: enough.signal }).catch(() => otherwise)
  return TOO_LONG
}
