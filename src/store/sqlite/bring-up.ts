import { DatabaseSync } from 'node:sqlite'
import { keepCopy } from './kept-copies.ts'
import { migrations, newestVersion } from './migrations/all.ts'
import { keptVersion, versionOf } from './schema-version.ts'

/** How long to wait for another program that uses or migrates the file. */
const WAIT_MS = 60_000

/**
 * Migrates a file to the newest version: copies it, and runs all steps in one transaction. A second
 * process waits and finds it done. If the process is killed at any moment, the file is the old one
 * or the new one.
 *
 * @returns the copy of the old file, unless another process was faster. @throws with the fault.
 */
export async function bringUp(file: string, appId: string): Promise<string | undefined> {
  const db = new DatabaseSync(file, { timeout: WAIT_MS })
  try {
    db.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; BEGIN IMMEDIATE')
    const from = versionOf(db)
    if (from >= newestVersion) return undefined
    const copy = await keepCopy(file, from)
    takeSteps(db, appId)
    db.exec('COMMIT')
    return copy
  } finally {
    // Closing rolls back the open transaction.
    db.close()
  }
}

/**
 * Takes all steps that a file lacks, in the open transaction.
 *
 * @param to the version to stop at.
 */
export function takeSteps(db: DatabaseSync, appId: string, to = newestVersion): void {
  for (const { version, up } of migrations.slice(keptVersion(db), to)) {
    up(db, appId)
    db.exec(`PRAGMA user_version = ${version}`)
  }
}
