import {
  type DeskAccessChange,
  type DeskAccessState,
  deskAccessFrom,
  swept,
} from '../desk-access.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { noteIn, putNote } from './notes.ts'

export const DESK_ACCESS = 'deskAccess'

const stateIn = (sql: Sql) => deskAccessFrom(noteIn(sql, DESK_ACCESS))

/**
 * Who may open the desk. It is read and changed as a whole, so that the use of a link, the begin of
 * its session and the end of all sessions never overlap. Times are in milliseconds since 1970. No
 * secret is stored, only hashes. Each method throws StoreUnavailable.
 */
export function sqliteDeskAccess(database: SqliteDatabase) {
  return {
    read: () => database.read(stateIn),

    /** @param decide may be called more than once; without a `state`, nothing changes. */
    change: <T>(decide: (found: DeskAccessState, now: number) => DeskAccessChange<T>): Promise<T> =>
      database.write((sql) => {
        const now = Date.now()
        const { result, state } = decide(swept(stateIn(sql), now), now)
        if (state) putNote(sql, DESK_ACCESS, state)
        return result
      }),
  }
}
