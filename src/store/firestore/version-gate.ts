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
 * A connection that is used only while what is kept is of the program's version: it brings an older
 * one up, and refuses a newer one before anything is written. A document says which it is, and to
 * which it is being brought. Each process looks at it every few seconds; whoever is about to change
 * anything says so first, and waits until all that older programs believed and began is over.
 *
 * @param log is told, in a sentence and once, that a newer program was here.
 * @param migrations all steps, for a test to add to.
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
      // Looked at first: a transaction each time would keep the one that has the lease from renewing it.
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

  /** Once for all who wait for it. */
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
    // Nobody waits for a look ahead of time, and no visitor for steps that take long.
    seen.catch(() => {})
    while (left <= 0 && (await Promise.race([seen, tooLong(seen)])) === TOO_LONG)
      if (takesLong)
        throw new StoreUnavailable(`Firestore is being brought up to version ${newest}.`)
  }

  /** What has been asked for; the connection hears of it only when the version is known. */
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
