import type { AddressIds } from '../../keys/address-id.ts'
import { sealWith } from '../../keys/seal-key.ts'
import { storedTime } from '../../shared/stored-time.ts'
import type { Backups } from '../backups.ts'
import { type OutputFile, OutputRefused, outputFile } from '../output-file.ts'
import { StoreUnavailable } from '../subscriber-store.ts'
import { contentOf } from './content.ts'
import { readCopy } from './copy.ts'
import { noteInCopy, sealCopy } from './copy-note.ts'
import { sqliteCopyRecord } from './copy-record.ts'
import type { SqliteDatabase } from './database.ts'
import { noteIn, putNote } from './notes.ts'
import { isOutage } from './outage.ts'

const BACKED_UP = 'backedUpAt'

/** @param dataDir the folder with the list and the keys, which no copy may replace. */
export function sqliteBackups(
  database: SqliteDatabase,
  { fingerprint }: AddressIds,
  appId: string,
  dataDir: string,
): Backups {
  return {
    ...sqliteCopyRecord(database),

    async write(file, { keys = {}, sealKey, beforeNamed } = {}) {
      let output: OutputFile | undefined
      try {
        output = outputFile(file, dataDir)
        const { unfinished } = output
        const at = new Date()
        // SQLite writes into an existing empty file, and keeps its permissions.
        await database.read((sql) => sql('VACUUM INTO ?').run(unfinished))
        const content = noteInCopy(unfinished, keys, at)
        const { copy, digest } = await readCopy(unfinished, appId, fingerprint, (read) => read)
        if (sealKey) sealCopy(unfinished, sealWith(sealKey, digest))
        const written = { ...copy, content }
        await beforeNamed?.(unfinished, written)
        output.keep()
        await database.write((sql) => putNote(sql, BACKED_UP, at))
        return written
      } catch (cause) {
        if (!(cause instanceof OutputRefused || isOutage(cause))) throw cause
        throw new StoreUnavailable(`${file} cannot be written: ${(cause as Error).message}`, {
          cause,
        })
      } finally {
        output?.discard()
      }
    },

    last: () => database.read((sql) => storedTime(noteIn(sql, BACKED_UP)) ?? null),

    // Several statements, each of its own moment: for a list that nobody writes to.
    content: () => database.read((sql) => contentOf(sql)),
  }
}
