import { type DocumentSnapshot, Timestamp } from '@google-cloud/firestore'
import { StoreMismatch } from '../subscriber-store.ts'

/** The version of the stored data, as its document says. */
export interface KeptVersion {
  readonly version: number
  /** The version of the migration under way. */
  readonly target: number
  /** The migrating process. */
  readonly owner: unknown
  /** Until when other processes wait for it, in milliseconds. */
  readonly until: number
  /** Whether there was no document before, and so no program that checks it. */
  readonly isFirst: boolean
}

/** A missing document means version 1, from before versions were stored, or an empty store. */
export function versionIn(document: DocumentSnapshot): KeptVersion {
  const { version = 1, target = version, until, owner, isFirst = false } = document.data() ?? {}
  return {
    version,
    target,
    owner,
    until: until instanceof Timestamp ? until.toMillis() : 0,
    isFirst: isFirst === true || !document.exists,
  }
}

/** Whether another process than this one holds the lease, by Firestore's clock. */
export function isHeldByAnother(document: DocumentSnapshot, self: string): boolean {
  const { until, owner } = versionIn(document)
  return until > document.readTime.toMillis() && owner !== self
}

/** @throws StoreMismatch when the data is, or is becoming, newer than this program. */
export function refuseNewer({ version, target }: KeptVersion, newest: number): void {
  const highest = Math.max(version, target)
  if (highest > newest)
    throw new StoreMismatch(
      `Firestore holds version ${highest}, and this program knows versions up to ${newest}: stop it, and start the newer one.`,
    )
}
