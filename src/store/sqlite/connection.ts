import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Gives the prepared statement of a text, the same one every time. */
export type Sql = (text: string) => StatementSync

/** An open file with its prepared statements. */
export interface SqliteConnection {
  readonly db: DatabaseSync
  readonly sql: Sql
}

export function connectionTo(db: DatabaseSync): SqliteConnection {
  const statements = new Map<string, StatementSync>()
  return {
    db,
    sql(text) {
      const known = statements.get(text)
      if (known) return known
      const statement = db.prepare(text)
      statements.set(text, statement)
      return statement
    },
  }
}

/** Does `work` in a transaction, while no other connection writes; on disk when it returns. */
export function inTransaction<T>({ db, sql }: SqliteConnection, work: (sql: Sql) => T): T {
  sql('BEGIN IMMEDIATE').run()
  try {
    const result = work(sql)
    sql('COMMIT').run()
    return result
  } catch (cause) {
    // SQLite has rolled back by itself after a failed write.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw cause
  }
}
