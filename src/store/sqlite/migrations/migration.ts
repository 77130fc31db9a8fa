import type { DatabaseSync } from 'node:sqlite'

/** One numbered step from one version of the file to the next, inside of a transaction. */
export interface Migration {
  /** The version of the file afterwards, as `PRAGMA user_version`. */
  readonly version: number
  /** Why it was needed, in a sentence. */
  readonly why: string
  /** @param appId of the list. @throws StoreUnavailable for a list of another one. */
  up(db: DatabaseSync, appId: string): void
  /**
   * The way back for a table that this step renamed or reshaped: the rows of the old table,
   * selected from the file `newer`. A new table, or one that only got columns, needs none.
   */
  readonly formerly?: Readonly<Record<string, string>>
}
