import { type Backups, recordIn } from '../backups.ts'
import { countsIn, noteInCopy } from './copy.ts'
import type { SqliteDatabase } from './database.ts'
import { changeNote, noteIn } from './notes.ts'

export function sqliteBackups(database: SqliteDatabase): Backups {
  return {
    record: () => database.read((sql) => recordIn(noteIn(sql, 'backups'))),

    async change(happens) {
      await changeNote(database, 'backups', recordIn, happens)
    },

    async copyTo(file, keys, at) {
      // SQLite writes into an existing empty file, and keeps its permissions.
      await database.read((sql) => sql('VACUUM INTO ?').run(file))
      noteInCopy(file, { at, keys })
    },

    counts: () => database.read(countsIn),
  }
}
