import { DatabaseSync } from 'node:sqlite'

/**
 * A database for what does not fit into memory: in a temporary file of SQLite's own, which nobody
 * else may open, has no name, and is gone whatever happens to us. A transaction is open in it.
 *
 * @param schema its tables.
 */
export function temporaryDatabase(schema: string): DatabaseSync {
  const db = new DatabaseSync('')
  db.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA temp_store = FILE;
    ${schema};
    BEGIN`)
  return db
}
