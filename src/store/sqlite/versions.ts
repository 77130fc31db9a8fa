import type { DatabaseSync } from 'node:sqlite'
import { makeTables } from './schema.ts'

/** One numbered step from one released version of the file to the next, inside of a transaction. */
export interface Step {
  /** The version of the file afterwards, as `PRAGMA user_version`. */
  readonly version: number
  /** Why it was needed, in a sentence. */
  readonly why: string
  up(db: DatabaseSync): void
}

const FIRST_VERSION = 1

/**
 * The steps since the first release, in order. A released one never changes; `schema.ts` shows the
 * tables as they are after the last.
 */
const steps: readonly Step[] = []

/** The version that this code reads and writes. */
export const newestVersion = steps.at(-1)?.version ?? FIRST_VERSION

/** @returns the version that a file says it has; 0 for an empty one. */
export function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version)
}

/** Sets up a new file, in the open transaction. */
export function makeList(db: DatabaseSync, appId: string): void {
  makeTables(db, appId)
  db.exec(`PRAGMA user_version = ${newestVersion}`)
}

/** Takes the steps that a file of an older release lacks, in the open transaction. */
export function takeSteps(db: DatabaseSync, all = steps): void {
  const from = versionOf(db)
  for (const { version, up } of all.filter((step) => step.version > from)) {
    up(db)
    db.exec(`PRAGMA user_version = ${version}`)
  }
}
