import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SqliteFile } from './file.ts'
import { DatabaseLocked } from './group-commit.ts'
import { BeingBroughtUp } from './version-gate.ts'

/** What the parts of the SQLite store share. */
export interface SqliteDatabase {
  /** Looks something up. @throws StoreUnavailable */
  read<T>(work: (sql: Sql) => T): Promise<T>
  /** Does `work` in one transaction, whole or not at all, on disk when it resolves. @throws StoreUnavailable */
  write<T>(work: (sql: Sql) => T): Promise<T>
  /** The same, tried once. @throws DatabaseLocked while another process has the file. */
  writeNow<T>(work: (sql: Sql) => T): T
}

/** Gives the prepared statement of a text, the same one every time. */
export type Sql = (text: string) => StatementSync

export interface SqliteConnection {
  readonly db: DatabaseSync
  readonly sql: Sql
}

const RETRY_FOR_MS = 2000
const RETRY_EVERY_MS = 5

/** Waits without blocking: up to two seconds while another process has the file, and while it is brought up. */
export function sqliteDatabase(file: SqliteFile<SqliteConnection>): SqliteDatabase {
  async function retried<T>(work: (connection: SqliteConnection) => T): Promise<T> {
    const giveUpAt = performance.now() + RETRY_FOR_MS
    for (;;) {
      try {
        return file.use(work)
      } catch (error) {
        if (error instanceof BeingBroughtUp) await error.end
        else if (error instanceof DatabaseLocked && performance.now() < giveUpAt)
          await sleep(RETRY_EVERY_MS)
        else throw error
      }
    }
  }

  return {
    read: (work) => retried(({ sql }) => work(sql)),
    write: (work) => retried((connection) => inTransaction(connection, work)),
    writeNow: (work) => file.use((connection) => inTransaction(connection, work)),
  }
}

export function prepared(db: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>()
  return (text) => {
    const known = statements.get(text)
    if (known) return known
    const statement = db.prepare(text)
    statements.set(text, statement)
    return statement
  }
}

function inTransaction<T>({ db, sql }: SqliteConnection, work: (sql: Sql) => T): T {
  sql('BEGIN IMMEDIATE').run()
  try {
    const result = work(sql)
    sql('COMMIT').run()
    return result
  } catch (cause) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw cause
  }
}
