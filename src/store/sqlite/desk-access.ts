import { type DeskAccess, deskAccessFrom, swept } from '../desk-access.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'

/** One row, found by its primary key. */
export function sqliteDeskAccess(database: SqliteDatabase): DeskAccess {
  return {
    read: () => database.read(stateIn),

    change: (decide) =>
      database.write((sql) => {
        const now = Date.now()
        const { result, state } = decide(swept(stateIn(sql), now), now)
        if (state)
          sql('INSERT OR REPLACE INTO deskAccess (only, data) VALUES (1, ?)').run(
            JSON.stringify(state),
          )
        return result
      }),
  }
}

function stateIn(sql: Sql) {
  const row = sql('SELECT data FROM deskAccess').get()
  return deskAccessFrom(row && String(row.data))
}
