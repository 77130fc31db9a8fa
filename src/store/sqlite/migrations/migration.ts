import type { DatabaseSync } from 'node:sqlite'

/** One numbered step from one version of the file to the next, inside of a transaction. */
export interface Migration {
  /** What the file is afterwards; `PRAGMA user_version` says it. */
  readonly version: number
  /** Why it was needed, in a sentence. */
  readonly why: string
  /** @param appId whose list the file is. @throws StoreUnavailable when it is not. */
  up(db: DatabaseSync, appId: string): void
  /**
   * The way back, for a table of the version before that has another name or form since: the rows for
   * it, of the file `newer`. A table that only got columns, or that is new, needs none.
   */
  readonly formerly?: Readonly<Record<string, string>>
}
