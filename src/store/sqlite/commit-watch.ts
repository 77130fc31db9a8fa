import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'

const LOOK_EVERY_MS = 250

/**
 * Notices every commit by two numbers of SQLite: one changes with the commits of other connections,
 * and one with our own. A look costs some microseconds.
 */
export function sqliteWatch(database: SqliteDatabase) {
  return {
    /** Calls back soon after; never throws, since the next read reports an outage. @returns what ends it. */
    watch(onChange: () => void): () => void {
      let seen: string | undefined
      let isEnded = false
      const look = async () => {
        // An outage is a change as well.
        const now = await database.read(versionOf).catch(() => 'away')
        if (isEnded) return
        if (seen !== undefined && now !== seen) onChange()
        seen = now
        setTimeout(look, LOOK_EVERY_MS).unref()
      }
      void look()
      return () => {
        isEnded = true
      }
    },
  }
}

function versionOf(sql: Sql): string {
  const others = sql('PRAGMA data_version').get()?.data_version
  return `${others} ${sql('SELECT total_changes() AS ours').get()?.ours}`
}
