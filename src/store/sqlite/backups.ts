import { type BackupRecord, type CopiedKeys, recordIn } from '../backups.ts'
import { noteInCopy } from './copy.ts'
import type { SqliteDatabase } from './database.ts'
import { changeNote, noteIn } from './notes.ts'

/** Each method throws StoreUnavailable. */
export function sqliteBackups(database: SqliteDatabase) {
  return {
    record: () => database.read((sql) => recordIn(noteIn(sql, 'backups'))),

    async change(happens: (known: BackupRecord) => BackupRecord): Promise<void> {
      await changeNote(database, 'backups', recordIn, happens)
    },

    /**
     * Writes all that is stored, as of now while others read and write, with these keys.
     *
     * @param file an empty one, which keeps its permissions.
     */
    async copyTo(file: string, keys: CopiedKeys, at: Date): Promise<void> {
      await database.read((sql) => sql('VACUUM INTO ?').run(file))
      noteInCopy(file, { at, keys })
    },
  }
}
