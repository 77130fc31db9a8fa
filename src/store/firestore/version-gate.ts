import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DocumentSnapshot, Timestamp } from '@google-cloud/firestore'
import { StoreUnavailable } from '../subscriber-store.ts'
import { ANSWER_WITHIN_MS, type FirestoreConnection } from './connection.ts'
import { firestoreMigrations } from './migrations/all.ts'
import type { FirestoreMigration } from './migrations/migration.ts'
import type { FirestorePaths } from './paths.ts'

export interface VersionTimes {
  /** How long a version that was read is believed. */
  readonly believedMs: number
  /** How long the others wait for whoever brings it up, before one of them goes on with it. */
  readonly leaseMs: number
}

const usual: VersionTimes = { believedMs: 5000, leaseMs: 60_000 }

/**
 * A connection that is used only while what is kept is of the program's version: it brings an older
 * one up, and refuses a newer one before anything is written. A document says which it is, and to
 * which it is being brought. Each process looks at it every few seconds; whoever is about to change
 * anything says so first, and waits until all that older programs believed and began is over.
 *
 * @param migrations all steps, for a test to add to.
 */
export function withVersion(
  connection: FirestoreConnection,
  paths: FirestorePaths,
  migrations: readonly FirestoreMigration[] = firestoreMigrations,
  { believedMs, leaseMs }: VersionTimes = usual,
): FirestoreConnection {
  const { use, transaction } = connection
  const newest = migrations.length
  const owner = randomUUID()
  let believedUntil = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  /** Whether there is more to wait for than an answer from afar. */
  let takesLong = false

  async function look() {
    for (;;) {
      const began = performance.now()
      const document = await use(() => paths.version.get())
      const kept = versionIn(document)
      refuseNewer(kept)
      if (kept.version === newest) {
        takesLong = false
        believedUntil = began + believedMs
        return
      }
      // Asked in a transaction, it would keep whoever does it from holding the lease.
      const isHeld = kept.until > document.readTime.toMillis() && kept.owner !== owner
      if (!isHeld && (await bringUp())) continue
      takesLong = !kept.isFirst
      await sleep(LOOK_AGAIN_MS)
    }
  }

  /** Once for all who wait for it. */
  function lookOnce() {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function ensure() {
    const left = believedUntil - performance.now()
    if (left > believedMs / 2) return
    const seen = lookOnce()
    // Ahead of time, nobody waits for it; nor does a visitor for steps that take long.
    seen.catch(() => {})
    while (left <= 0 && (await Promise.race([seen, tooLong(seen)])) === TOO_LONG)
      if (takesLong)
        throw new StoreUnavailable(`Firestore is being brought up to version ${newest}.`)
  }

  function refuseNewer({ version, target }: Kept) {
    const highest = Math.max(version, target)
    if (highest > newest)
      throw new StoreUnavailable(
        `Firestore holds version ${highest}, and this program knows versions up to ${newest}: stop it, and start the newer one.`,
      )
  }

  /** @returns whether it was done here, not by another process. */
  async function bringUp(): Promise<boolean> {
    const claimed = await claim()
    if (!claimed) return false
    const { from, wasKept } = claimed
    takesLong = wasKept
    let at = from
    // Steps may take longer than the lease.
    const renewing = setInterval(() => void note(at).catch(() => {}), leaseMs / 3)
    try {
      // A program from before versions were kept looks at none, and would be waited for in vain.
      if (wasKept) await sleep(believedMs + ANSWER_WITHIN_MS)
      for (const { version, up } of migrations.slice(from)) {
        await up(connection, paths)
        at = version
        await note(at)
      }
    } finally {
      clearInterval(renewing)
    }
    return true
  }

  /** Says to which version it is being brought, alone. @returns `undefined` while another does it. */
  function claim() {
    return transaction(async (work) => {
      const document = await work.get(paths.version)
      const kept = versionIn(document)
      refuseNewer(kept)
      // A claim of our own, whose answer was lost, is done again.
      const isHeld = kept.until > document.readTime.toMillis() && kept.owner !== owner
      if (kept.version === newest || isHeld) return undefined
      const until = Timestamp.fromMillis(document.readTime.toMillis() + leaseMs)
      const { version, isFirst } = kept
      work.set(paths.version, { version, target: newest, owner, until, isFirst })
      return { from: version, wasKept: !isFirst }
    })
  }

  /** Notes how far it is, and holds the lease. @throws StoreUnavailable when another goes on with it by now. */
  function note(version: number) {
    return transaction(async (work) => {
      const document = await work.get(paths.version)
      if (document.get('owner') !== owner)
        throw new StoreUnavailable('Firestore is being brought up by another process.')
      const until = Timestamp.fromMillis(document.readTime.toMillis() + leaseMs)
      work.set(
        paths.version,
        version < newest ? { ...document.data(), version, until } : { version },
      )
    })
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

interface Kept {
  readonly version: number
  /** To which it is being brought. */
  readonly target: number
  /** Until when whoever does that is waited for; in milliseconds. */
  readonly until: number
  /** Who does that. */
  readonly owner: unknown
  /** Whether there was no document before. */
  readonly isFirst: boolean
}

/** Without the document it is what was kept before there were versions, or nothing at all. */
function versionIn(document: DocumentSnapshot): Kept {
  const { version = 1, target = version, until, owner, isFirst = false } = document.data() ?? {}
  return {
    ...{ version, target, owner },
    until: until instanceof Timestamp ? until.toMillis() : 0,
    isFirst: isFirst === true || !document.exists,
  }
}
