import { type DocumentSnapshot, Timestamp } from '@google-cloud/firestore'
import { StoreMismatch } from '../subscriber-store.ts'

/** What the document says about the version of all that is kept. */
export interface KeptVersion {
  readonly version: number
  /** To which it is being brought up. */
  readonly target: number
  /** The process that does that. */
  readonly owner: unknown
  /** Until when other processes wait for that one; in milliseconds. */
  readonly until: number
  /** Whether there was no document before, and so no program that looks at it. */
  readonly isFirst: boolean
}

/** A missing document means version 1, from before versions were kept, or that nothing is kept yet. */
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

/** @throws StoreMismatch when what is kept, or will be, is newer than this program. */
export function refuseNewer({ version, target }: KeptVersion, newest: number): void {
  const highest = Math.max(version, target)
  if (highest > newest)
    throw new StoreMismatch(
      `Firestore holds version ${highest}, and this program knows versions up to ${newest}: stop it, and start the newer one.`,
    )
}
