import { type Opening, type Openings, openingIn } from '../opening.ts'
import type { Restorable } from '../restore-target.ts'
import type { SqliteDatabase } from './database.ts'
import { changeNote, noteIn, putNote } from './notes.ts'

const OPENING = 'opening'

/**
 * For all servers on the file. What was set once and is undone is `null`: no copy brings it back.
 *
 * @param isThere whether the file exists: a look would make one, while the operator replaces it.
 */
export function sqliteOpening(
  database: SqliteDatabase,
  isThere: () => boolean,
): Openings & Restorable<'opening'> {
  let last: { readonly opening: Opening | undefined } | undefined

  return {
    // A look takes some microseconds.

    async get() {
      if (!last || isThere())
        last = { opening: openingIn(await database.read((sql) => noteIn(sql, OPENING))) }
      return last.opening
    },

    set: (opening) => changeNote(database, OPENING, openingIn, () => opening),

    async noteOpened({ url, at }, openedAt) {
      await changeNote(database, OPENING, openingIn, (found) => {
        const isSame = found?.url === url && found.at.getTime() === at.getTime()
        return isSame && !found.openedAt ? { ...found, openedAt } : found
      })
    },

    undo: () => changeNote(database, OPENING, openingIn, (found) => (found ? null : found)),

    restore: (opening) =>
      database.write((sql) => {
        if (noteIn(sql, OPENING) !== undefined) return false
        putNote(sql, OPENING, opening)
        return true
      }),
  }
}
