import type { AddressIds } from '../../keys/address-id.ts'
import type { RestoreTarget } from '../restore-target.ts'
import type { SqliteDatabase } from './database.ts'
import { markImported } from './imported.ts'
import { addExtra } from './known.ts'
import { entryOf, hear, writeBound } from './standing-rows.ts'

export function sqliteRestore(
  database: SqliteDatabase,
  addressIds: AddressIds,
): Pick<RestoreTarget, 'known' | 'deliveries' | 'announcement'> {
  return {
    known: (known) =>
      writeBound(database, addressIds, (sql) => {
        for (const { addressId, standing, isImported, extra } of known) {
          const isNew = entryOf(sql, addressId) === undefined
          if (standing) hear(sql, addressId, standing)
          if (isImported && isNew) markImported(sql, addressId)
          const isForgotten = entryOf(sql, addressId)?.standing === 'forgotten'
          if (extra && !isForgotten) addExtra(sql, addressId, extra)
        }
      }),

    deliveries: (id, rows) =>
      writeBound(database, addressIds, (sql) => {
        const isForgotten = sql(
          `SELECT 1 FROM standings WHERE addressId = ? AND standing = 'forgotten'`,
        )
        const insert = sql(`
          INSERT OR IGNORE INTO deliveries
            (announcement, addressId, email, status, tries, dueAt, changedAt, answer, standing,
              language)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
        for (const row of rows) {
          const gone = isForgotten.get(row.addressId) !== undefined
          const who = gone ? [`restored ${row.rowId}`, null] : [row.addressId, row.email ?? null]
          const status = gone ? 'forgotten' : row.status
          const times = [row.dueAt.toISOString(), row.changedAt.toISOString()]
          const answer = gone ? null : (row.answer ?? null)
          const standing = status === 'suppressed' ? (row.standing ?? 'unsubscribed') : null
          const language = gone ? null : (row.language ?? null)
          insert.run(id, ...who, status, row.tries, ...times, answer, standing, language)
        }
      }),

    announcement: ({ id, subject, digest, begunAt, cutOff, eligible }) =>
      writeBound(database, addressIds, (sql) => {
        sql(`
          INSERT OR IGNORE INTO announcements (id, subject, digest, begunAt, cutOff, eligible)
          VALUES (?, ?, ?, ?, ?, ?)`).run(
          ...[id, subject, digest, begunAt.toISOString(), cutOff.toISOString()],
          eligible ?? null,
        )
      }),
  }
}
