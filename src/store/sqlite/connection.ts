import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isOutage } from './outage.ts'

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

/** Does a part of a transaction, whole or not at all. @returns why it was not done. @throws in an outage */
export function inPart(sql: Sql, work: () => void): Error | undefined {
  let fault: Error | undefined
  sql('SAVEPOINT part').run()
  try {
    work()
  } catch (cause) {
    // SQLite may have ended the whole transaction by itself.
    if (isOutage(cause)) throw cause
    sql('ROLLBACK TO part').run()
    fault = cause as Error
  }
  sql('RELEASE part').run()
  return fault
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
