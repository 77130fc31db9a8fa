import type { Sql, SqliteConnection } from './connection.ts'

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
