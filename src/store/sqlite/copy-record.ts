import type { CopyRecord, Rehearsal } from '../backups.ts'
import { contentIn } from './content.ts'
import type { SqliteDatabase } from './database.ts'

/** How many rehearsals are kept; the last good one is never removed. */
const REHEARSALS = 20

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

    async rehearsals() {
      const find = (where: string) =>
        database.read((sql) =>
          sql(`SELECT * FROM rehearsals WHERE ${where} ORDER BY rowid DESC LIMIT 1`).get(),
        )
      const [last, lastGood] = [await find('true'), await find('fault IS NULL')]
      return { last: last && rehearsalIn(last), lastGood: lastGood && rehearsalIn(lastGood) }
    },

    async noteRehearsal({ at, copy, fault }) {
      await database.write((sql) => {
        sql('INSERT INTO rehearsals VALUES (?, ?, ?)').run(at.toISOString(), copy, fault ?? null)
        sql(`
          DELETE FROM rehearsals WHERE rowid NOT IN (
            SELECT rowid FROM rehearsals ORDER BY rowid DESC LIMIT ${REHEARSALS}
          ) AND rowid NOT IN (SELECT max(rowid) FROM rehearsals WHERE fault IS NULL)`).run()
      })
    },
  }
}

function rehearsalIn({ at, copy, fault }: Readonly<Record<string, unknown>>): Rehearsal {
  return {
    at: new Date(String(at)),
    copy: String(copy),
    fault: fault === null ? undefined : String(fault),
  }
}
