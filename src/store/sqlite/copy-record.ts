import { objectIn } from '../../shared/stored-json.ts'
import { storedTime } from '../../shared/stored-time.ts'
import type { CopyRecord, Rehearsal } from '../backups.ts'
import { contentIn } from './content.ts'
import type { SqliteDatabase } from './database.ts'
import { changeNote, noteIn } from './notes.ts'

const REHEARSALS = 'rehearsals'

/** The record of the copies, in the list's own file. */
export function sqliteCopyRecord(database: SqliteDatabase): CopyRecord {
  return {
    async keptCopies() {
      const rows = await database.read((sql) =>
        sql('SELECT * FROM keptCopies ORDER BY at, name').all(),
      )
      return rows.flatMap(({ folder, name, at, bytes, keep, content: kept }) => {
        const content = contentIn(kept)
        const copy = { folder: String(folder), name: String(name), at: new Date(String(at)) }
        return content ? [{ ...copy, bytes: Number(bytes), keep: String(keep), content }] : []
      })
    },

    async noteCopy({ folder, name, at, bytes, keep, content }) {
      await database.write((sql) =>
        sql('REPLACE INTO keptCopies VALUES (?, ?, ?, ?, ?, ?)').run(
          ...[folder, name, at.toISOString(), bytes, keep, JSON.stringify(content)],
        ),
      )
    },

    async noteRemoved({ folder, name }) {
      await database.write((sql) =>
        sql('DELETE FROM keptCopies WHERE folder = ? AND name = ?').run(folder, name),
      )
    },

    rehearsals: () => database.read((sql) => rehearsalsIn(noteIn(sql, REHEARSALS))),

    async noteRehearsal(last) {
      await changeNote(database, REHEARSALS, rehearsalsIn, ({ lastGood }) => ({
        last,
        lastGood: last.fault === undefined ? last : lastGood,
      }))
    },
  }
}

function rehearsalsIn(stored: unknown) {
  const { last, lastGood } = objectIn(stored) ?? {}
  return { last: rehearsalIn(last), lastGood: rehearsalIn(lastGood) }
}

function rehearsalIn(stored: unknown): Rehearsal | undefined {
  const { at: time, copy, fault } = objectIn(stored) ?? {}
  const at = storedTime(time)
  if (!at || typeof copy !== 'string') return undefined
  return { at, copy, fault: typeof fault === 'string' ? fault : undefined }
}
