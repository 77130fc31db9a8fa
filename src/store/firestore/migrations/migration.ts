import type { FirestoreConnection } from '../connection.ts'
import type { FirestorePaths } from '../paths.ts'

/** One numbered step. Firestore has no transaction that is large enough for a list. */
export interface FirestoreMigration {
  readonly version: number
  /** Why it was needed, in a sentence. */
  readonly why: string
  /**
   * Can be interrupted anywhere and done again, by another process as well. Only visitors'
   * browsers, which add subscribers, write meanwhile. @throws StoreUnavailable
   */
  up(connection: FirestoreConnection, paths: FirestorePaths): Promise<void>
}
