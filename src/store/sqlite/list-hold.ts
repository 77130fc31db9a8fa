import { holdFrom, type ListHolds } from '../list-hold.ts'
import type { SqliteDatabase } from './database.ts'
import { changeNote, noteIn } from './notes.ts'

/** Its note, which copies hold too: so the copy of a held list is held. */
export const HOLD = 'hold'

export function sqliteListHold(database: SqliteDatabase): ListHolds {
  return {
    get: () => database.read((sql) => holdFrom(noteIn(sql, HOLD))),

    async begin(hold) {
      await changeNote(database, HOLD, holdFrom, (found) => found ?? hold)
    },

    end: async () => (await changeNote(database, HOLD, holdFrom, () => undefined)) !== undefined,
  }
}
