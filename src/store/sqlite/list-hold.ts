import { holdFrom, type ListHolds, textOfHold } from '../list-hold.ts'
import type { SqliteDatabase } from './database.ts'

/** Its row among the alarms, which copies hold too: so the copy of a held list is held. */
export const HOLD = 'list'

export function sqliteListHold(database: SqliteDatabase): ListHolds {
  return {
    get: () =>
      database.read((sql) =>
        holdFrom(sql('SELECT data FROM alarms WHERE kind = ?').get(HOLD)?.data),
      ),

    begin: (hold) =>
      database.write((sql) => {
        sql('INSERT OR IGNORE INTO alarms (kind, data) VALUES (?, ?)').run(HOLD, textOfHold(hold))
      }),

    end: () =>
      database.write((sql) => sql('DELETE FROM alarms WHERE kind = ?').run(HOLD).changes > 0),
  }
}
