import { type Opening, openingIn } from '../opening.ts'
import type { SqliteDatabase } from './database.ts'
import { changeNote, noteIn } from './notes.ts'

export const OPENING = 'opening'

/**
 * For all servers on the file. What was set once and is undone stays, as undone: no copy brings it back.
 * Each method throws StoreUnavailable.
 *
 * @param isThere whether the file exists: a look would make one, while the operator replaces it.
 */
export function sqliteOpening(database: SqliteDatabase, isThere: () => boolean) {
  let last: { readonly opening: Opening | undefined } | undefined

  return {
    /** What is set; `undefined` where nothing is, or no longer. A look takes some microseconds. */
    async get(): Promise<Opening | undefined> {
      if (!last || isThere())
        last = { opening: openingIn(await database.read((sql) => noteIn(sql, OPENING))) }
      return last.opening
    },

    /** @returns what was set before. */
    set: (opening: Opening) => changeNote(database, OPENING, openingIn, () => opening),

    /** Stores that it has opened, if the same one is still set. */
    async noteOpened({ url, at }: Opening, openedAt: Date): Promise<void> {
      await changeNote(database, OPENING, openingIn, (found) => {
        const isSame = found?.url === url && found.at.getTime() === at.getTime()
        return isSame && !found.openedAt ? { ...found, openedAt } : found
      })
    },

    /** The page says Coming Soon again. @returns what was set. */
    undo: () =>
      changeNote(database, OPENING, openingIn, (found) =>
        found ? { ...found, undoneAt: new Date() } : found,
      ),
  }
}
