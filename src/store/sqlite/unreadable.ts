import type { UnreadableRow, UnreadableRows } from '../unreadable.ts'
import { subscriberIn } from './copied-rows.ts'
import type { SqliteDatabase } from './database.ts'

const PAGE = 1000
const LATEST = new Date('9999-12-31T23:59:59.999Z')

export function sqliteUnreadable(database: SqliteDatabase): UnreadableRows {
  return {
    // Nobody else writes to the file.
    countUnreadable: async () => undefined,

    async *unreadable() {
      for (let last = 0; ; ) {
        const rows = await database.read((sql) =>
          sql(`
            SELECT id, data ->> 'email' AS email, data ->> 'subscribedAt' AS subscribedAt
            FROM documents WHERE id > ? ORDER BY id LIMIT ${PAGE}`).all(last),
        )
        for (const row of rows) if (!subscriberIn(row, LATEST)) yield rowOf(row)
        last = Number(rows.at(-1)?.id)
        if (rows.length < PAGE) return
      }
    },
  }
}

function rowOf(row: Readonly<Record<string, unknown>>): UnreadableRow {
  const hasEmail = subscriberIn({ email: row.email, subscribedAt: LATEST.toISOString() }, LATEST)
  return { id: String(row.id), why: hasEmail ? 'its time is none' : 'its e-mail is none' }
}
