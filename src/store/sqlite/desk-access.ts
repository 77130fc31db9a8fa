import { type DeskAccess, deskAccessFrom, swept } from '../desk-access.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { noteIn, putNote } from './notes.ts'

const stateIn = (sql: Sql) => deskAccessFrom(noteIn(sql, 'deskAccess'))

export function sqliteDeskAccess(database: SqliteDatabase): DeskAccess {
  return {
    read: () => database.read(stateIn),

    change: (decide) =>
      database.write((sql) => {
        const now = Date.now()
        const { result, state } = decide(swept(stateIn(sql), now), now)
        if (state) putNote(sql, 'deskAccess', state)
        return result
      }),
  }
}
