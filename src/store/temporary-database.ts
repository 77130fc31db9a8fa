import { DatabaseSync } from 'node:sqlite'

/**
 * A database for data that does not fit into memory, such as all addresses of a list. SQLite keeps
 * it in a temporary file for its owner only and unlinks that at once, so it is gone when the
 * process ends, also by a kill. A transaction is open in it.
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
