import type { AddressIds } from '../shared/address-id.ts'
import type { RestoreTarget } from './restore-target.ts'
import type { SqliteDatabase } from './sqlite-database.ts'
import { writeBound } from './sqlite-suppressions.ts'

export function sqliteRestore(database: SqliteDatabase, addressIds: AddressIds): RestoreTarget {
  return {
    restoreSuppressions: (entries) =>
      writeBound(database, addressIds, (sql) => {
        const insert = sql('INSERT OR IGNORE INTO suppressions VALUES (?, ?, ?)')
        for (const { addressId, reason, at } of entries)
          insert.run(addressId, reason, at.toISOString())
      }),

    restoreDeliveries: (id, rows) =>
      writeBound(database, addressIds, (sql) => {
        const isForgotten = sql(
          `SELECT 1 FROM suppressions WHERE addressId = ? AND reason = 'forgotten'`,
        )
        const insert = sql(`
          INSERT OR IGNORE INTO deliveries
            (announcement, addressId, email, status, tries, dueAt, changedAt, answer)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
        for (const row of rows) {
          const gone = isForgotten.get(row.addressId) !== undefined
          const who = gone ? [`restored ${row.rowId}`, null] : [row.addressId, row.email ?? null]
          const status = gone ? 'forgotten' : row.status
          const times = [row.dueAt.toISOString(), row.changedAt.toISOString()]
          const answer = gone ? null : (row.answer ?? null)
          insert.run(id, ...who, status, row.tries, ...times, answer)
        }
      }),

    restoreAnnouncement: ({ id, subject, digest, begunAt, cutOff, eligible }) =>
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
