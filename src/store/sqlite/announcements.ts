import type { AddressIds } from '../../keys/address-id.ts'
import type { Announcement, DeliveryLedger } from '../delivery-ledger.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { timeOf } from './deliveries.ts'
import { whileOwner } from './while-owner.ts'

type Announcements = Pick<
  DeliveryLedger,
  'announcements' | 'findAnnouncement' | 'begin' | 'countEligible'
>

/** The part of the ledger that has a row for each announcement. */
export function sqliteAnnouncements(
  database: SqliteDatabase,
  addressIds: AddressIds,
): Announcements {
  const { writeOwned } = whileOwner(database, addressIds)

  const find = (sql: Sql, id: string) =>
    sql('SELECT * FROM announcements WHERE id = ?').get(id) as Row | undefined

  /** @throws when there is no such announcement: a mistake of the caller. */
  function found(row: Row | undefined): Announcement {
    if (!row) throw new Error('There is no such announcement.')
    return toAnnouncement(row)
  }

  return {
    announcements: () =>
      database.read((sql) =>
        sql('SELECT * FROM announcements ORDER BY begunAt DESC').all().map(toAnnouncement),
      ),

    async findAnnouncement(id) {
      const row = await database.read((sql) => find(sql, id))
      return row && toAnnouncement(row)
    },

    async begin(owner, id, { subject, digest }, includesNew = false) {
      return found(
        await writeOwned(owner, (sql, now) => {
          sql(`
            INSERT INTO announcements (id, subject, digest, begunAt, upTo)
            VALUES (?, ?, ?, ?, ${lastNumber})
            ON CONFLICT DO UPDATE SET subject = excluded.subject, digest = excluded.digest`).run(
            ...[id, subject, digest, now],
          )
          // One that was interrupted before all had their row goes on to its own cut-off.
          if (includesNew)
            sql(`
              UPDATE announcements SET upTo = ${lastNumber}, eligible = NULL
              WHERE id = ? AND eligible IS NOT NULL`).run(id)
          return find(sql, id)
        }),
      )
    },

    async countEligible(owner, id) {
      return found(
        await writeOwned(owner, (sql) => {
          sql(`
            UPDATE announcements SET eligible =
              (SELECT count(*) FROM persons WHERE number <= upTo) + (
                SELECT count(*) FROM deliveries
                WHERE announcement = :id AND status = 'forgotten')
            WHERE id = :id`).run({ id })
          return find(sql, id)
        }),
      )
    },
  }
}

/** That of who came last, in SQL. */
const lastNumber = '(SELECT coalesce(max(number), 0) FROM persons)'

type Row = Record<string, unknown>

function toAnnouncement(row: Row): Announcement {
  return {
    id: String(row.id),
    subject: String(row.subject),
    digest: String(row.digest),
    begunAt: timeOf(row.begunAt),
    upTo: Number(row.upTo),
    eligible: row.eligible === null ? undefined : Number(row.eligible),
  }
}
