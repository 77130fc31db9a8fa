import type { DatabaseSync } from 'node:sqlite'

/** @returns the version that a file says it has; 0 for an empty one, and for version 1. */
export function keptVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version)
}

/** @returns the version of a file; 0 for one without tables. */
export function versionOf(db: DatabaseSync): number {
  const tables = db.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' LIMIT 1`)
  return keptVersion(db) || (tables.get() ? 1 : 0)
}
