import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import type { AddressIds } from '../shared/address-id.ts'
import type { Backups } from './backups.ts'
import { readCopy, settleCopy } from './sqlite-copy.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import { StoreUnavailable } from './subscriber-store.ts'

export function sqliteBackups(database: SqliteDatabase, { fingerprint }: AddressIds): Backups {
  return {
    async write(file) {
      const unfinished = `${file}.part`
      try {
        // Made first, so that it is nobody else's from the beginning; SQLite fills an empty file.
        closeSync(openSync(unfinished, 'w', 0o600))
        await database.read((sql) => sql('VACUUM INTO ?').run(unfinished))
        settleCopy(unfinished)
        const copy = await readCopy(unfinished, fingerprint, ({ copy }) => copy)
        renameSync(unfinished, file)
        await database.write((sql) => {
          sql('DELETE FROM backups').run()
          sql('INSERT INTO backups (at) VALUES (?)').run(new Date().toISOString())
        })
        return copy
      } catch (cause) {
        if (cause instanceof StoreUnavailable) throw cause
        throw new StoreUnavailable(`${file} cannot be written: ${(cause as Error).message}`, {
          cause,
        })
      } finally {
        rmSync(unfinished, { force: true })
      }
    },

    async last() {
      const row = await database.read((sql) => sql('SELECT at FROM backups').get())
      return row ? new Date(String(row.at)) : null
    },
  }
}
