import { setTimeout as sleep } from 'node:timers/promises'
import { type DocumentSnapshot, Timestamp } from '@google-cloud/firestore'
import { StoreUnavailable } from '../subscriber-store.ts'
import { ANSWER_WITHIN_MS, type FirestoreConnection } from './connection.ts'
import type { FirestoreMigration } from './migrations/migration.ts'
import type { FirestorePaths } from './paths.ts'
import { isHeldByAnother, refuseNewer, versionIn } from './schema-version.ts'

export interface VersionTimes {
  /** How long a version that was read is trusted. */
  readonly believedMs: number
  /** How long other processes wait for the migrating one, before one of them takes over. */
  readonly leaseMs: number
}

export interface BringUp {
  /**
   * Takes the lease. @returns `undefined` while another process has it, or when there is nothing to
   * do.
   */
  claim(): Promise<ClaimedSteps | undefined>
  /** Takes the steps. @throws StoreUnavailable when another process goes on with them by now. */
  take(claimed: ClaimedSteps): Promise<void>
}

export interface ClaimedSteps {
  /** The version before the first of them. */
  readonly from: number
  /** Whether older programs that check the version may be running. */
  readonly wasKept: boolean
}

/** Migrates the stored data to the newest version. @param owner identifies this process. */
export function firestoreBringUp(
  connection: FirestoreConnection,
  paths: FirestorePaths,
  migrations: readonly FirestoreMigration[],
  { believedMs, leaseMs }: VersionTimes,
  owner: string,
): BringUp {
  const { transaction } = connection
  const newest = migrations.length

  const leaseFrom = (document: DocumentSnapshot) =>
    Timestamp.fromMillis(document.readTime.toMillis() + leaseMs)

  /** Notes how far the migration is, and renews the lease. */
  function note(version: number) {
    return transaction(async (work) => {
      const document = await work.get(paths.version)
      if (document.get('owner') !== owner)
        throw new StoreUnavailable('Another process is updating the data in Firestore.')
      const underWay = { ...document.data(), version, until: leaseFrom(document) }
      work.set(paths.version, version < newest ? underWay : { version })
    })
  }

  return {
    claim: () =>
      transaction(async (work) => {
        const document = await work.get(paths.version)
        const kept = versionIn(document)
        refuseNewer(kept, newest)
        // A claim of our own whose answer was lost is made again.
        if (kept.version === newest || isHeldByAnother(document, owner)) return undefined
        const { version, isFirst } = kept
        const until = leaseFrom(document)
        work.set(paths.version, { version, target: newest, owner, until, isFirst })
        return { from: version, wasKept: !isFirst }
      }),

    async take({ from, wasKept }) {
      let at = from
      // Steps may take longer than the lease.
      const renewing = setInterval(() => void note(at).catch(() => {}), leaseMs / 3)
      try {
        // Waits until the calls of older programs are over. Programs from before versions were
        // stored check none, so waiting for them is useless.
        if (wasKept) await sleep(believedMs + ANSWER_WITHIN_MS)
        for (const { version, up } of migrations.slice(from)) {
          await up(connection, paths)
          at = version
          await note(at)
        }
      } finally {
        clearInterval(renewing)
      }
    },
  }
}
