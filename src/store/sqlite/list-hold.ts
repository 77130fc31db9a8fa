import { holdFrom, type ListHold } from '../list-hold.ts'
import type { SqliteDatabase } from './database.ts'
import { changeNote, noteIn } from './notes.ts'

/** Its note, which copies hold too: so the copy of a held list is held. */
export const HOLD = 'hold'

/**
 * Holds a list that came from a copy: of one that anybody may have made, no announcement and no question
 * leaves; of another, none that the copy does not know. Each method throws StoreUnavailable.
 */
export function sqliteListHold(database: SqliteDatabase) {
  const change = (next: (found: ListHold | undefined) => ListHold | undefined) =>
    changeNote(database, HOLD, holdFrom, next)
  return {
    get: () => database.read((sql) => holdFrom(noteIn(sql, HOLD))),
    /** The gravest reason stays until it is ended. */
    begin: async (hold: ListHold) =>
      void (await change((found) => (found?.isBelieved === false ? found : hold))),
    /** @returns whether it was held. */
    end: async () => (await change(() => undefined)) !== undefined,
  }
}
