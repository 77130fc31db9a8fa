import type { UnreadableRow, UnreadableRows } from '../unreadable.ts'
import { subscriberIn } from './copied-rows.ts'
import type { SqliteDatabase } from './database.ts'
import { rowsOf } from './pages.ts'

const LATEST = new Date('9999-12-31T23:59:59.999Z')

export function sqliteUnreadable(database: SqliteDatabase): UnreadableRows {
  return {
    // Only our own programs write to the file.
    count: async () => undefined,

    async *stream() {
      const query = `
        SELECT id, data ->> 'email' AS email, data ->> 'subscribedAt' AS subscribedAt
        FROM documents WHERE id > :last`
      for await (const row of rowsOf(database, query, 0))
        if (!subscriberIn(row, LATEST)) yield rowOf(row)
    },
  }
}

function rowOf(row: Readonly<Record<string, unknown>>): UnreadableRow {
  const hasEmail = subscriberIn({ email: row.email, subscribedAt: LATEST.toISOString() }, LATEST)
  return {
    id: String(row.id),
    why: hasEmail ? 'its time is not a time' : 'its e-mail is not an address',
  }
}
