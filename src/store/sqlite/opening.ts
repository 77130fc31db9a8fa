import type { Opening, Openings } from '../opening.ts'
import type { Restorable } from '../restore-target.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'

/**
 * One row of one table, for all servers on the file.
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
      if (!last || isThere()) last = { opening: await database.read(kept) }
      return last.opening
    },

    set: (opening) =>
      database.write((sql) => {
        const before = kept(sql)
        write(sql, 'REPLACE', opening)
        return before
      }),

    async noteOpened({ url, at }, openedAt) {
      await database.write((sql) =>
        sql('UPDATE opening SET openedAt = ? WHERE url = ? AND at = ? AND openedAt IS NULL').run(
          openedAt.toISOString(),
          url,
          at.toISOString(),
        ),
      )
    },

    undo: () =>
      database.write((sql) => {
        const before = kept(sql)
        sql('UPDATE opening SET url = NULL, openedAt = NULL').run()
        return before
      }),

    restore: (opening) => database.write((sql) => write(sql, 'IGNORE', opening)),
  }
}

function write(sql: Sql, or: 'REPLACE' | 'IGNORE', { url, at, zone, openedAt }: Opening) {
  const { changes } = sql(`
    INSERT OR ${or} INTO opening (only, url, at, zone, openedAt) VALUES (1, ?, ?, ?, ?)`).run(
    ...[url, at.toISOString(), zone],
    openedAt?.toISOString() ?? null,
  )
  return changes > 0
}

function kept(sql: Sql): Opening | undefined {
  const row = sql('SELECT url, at, zone, openedAt FROM opening WHERE url IS NOT NULL').get()
  if (!row) return undefined
  const { url, at, zone, openedAt } = row
  return {
    url: String(url),
    at: new Date(String(at)),
    zone: String(zone),
    openedAt: openedAt === null ? undefined : new Date(String(openedAt)),
  }
}
