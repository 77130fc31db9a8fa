import type { AddressIds } from '../../keys/address-id.ts'
import type { NoKind } from '../../people/person.ts'
import {
  type Delivery,
  type DeliveryReading,
  type DeliveryStatus,
  deliveryStatuses,
  noSuppressions,
  type SuppressionReason,
  type Tally,
} from '../delivery-ledger.ts'
import type { SqliteDatabase } from './database.ts'
import { rowsOf } from './pages.ts'
import { personsIn } from './persons.ts'

/** The part of the ledger that reads the rows of deliveries. */
export function sqliteDeliveries(
  database: SqliteDatabase,
  addressIds: AddressIds,
): DeliveryReading {
  return {
    toldAmong: (announcements, emails) =>
      database.read((sql) => {
        const told = sql(`
          SELECT 1 FROM deliveries
          WHERE addressId = ? AND announcement IN (SELECT value FROM json_each(?))
            AND status IN ('sent', 'uncertain', 'sending')`)
        const among = JSON.stringify(announcements)
        return new Set(emails.filter((email) => told.get(addressIds.of(email), among)))
      }),

    lately: (id, most, since = new Date(0)) =>
      database.read((sql) => {
        const last = (statuses: string, limit: number) =>
          sql(`
            SELECT addressId, status, changedAt FROM deliveries
            WHERE announcement = ? AND status IN (${statuses}) AND (tries > 0) = 1
              AND changedAt > ? ORDER BY changedAt DESC LIMIT ?`).all(
            ...[id, since.toISOString(), limit],
          )
        const persons = personsIn(sql, addressIds)
        const hasNo = (row: Row, kinds: readonly NoKind[]) => {
          const { noes } = persons.of(String(row.addressId))
          const at = new Date(String(row.changedAt))
          return kinds.some((kind) => Number(noes[kind]?.at ?? 0) > Number(at))
        }
        const isGone = ({ status }: Row) => status === 'forgotten'
        const tried = last("'sent', 'uncertain', 'failed', 'forgotten'", most.tried)
        const told = last("'sent', 'uncertain', 'forgotten'", most.told)
        const failed = tried.filter(
          (row) => row.status === 'failed' || isGone(row) || hasNo(row, ['bounced']),
        )
        const left = told.filter((row) => isGone(row) || hasNo(row, ['unsubscribed', 'complained']))
        return {
          tried: tried.length,
          failed: failed.length,
          told: told.length,
          left: left.length,
        }
      }),

    async *toldSince(time) {
      const query = `
        SELECT rowid AS id, email, changedAt FROM deliveries
        WHERE changedAt >= :since AND rowid > :last AND (status IN ('sent', 'uncertain', 'sending')
          OR (status = 'forgotten' AND tries > 0))`
      for await (const row of rowsOf(database, query, 0, { since: time.toISOString() })) {
        const { email, changedAt } = row
        yield { email: email === null ? undefined : String(email), at: new Date(String(changedAt)) }
      }
    },

    isUnfinished: (id) =>
      database.read((sql) => {
        const left = sql(`
          SELECT 1 FROM deliveries
          WHERE announcement = ? AND status IN ('queued', 'sending') LIMIT 1`)
        return left.get(id) !== undefined
      }),

    tally: (id) =>
      database.read((sql) => {
        const count = sql(`
          SELECT count(*) AS n, count(*) FILTER (WHERE (tries > 0) = 0) AS untried
          FROM deliveries WHERE announcement = ? AND status = ?`)
        const tally: Record<string, number> = {}
        for (const status of deliveryStatuses) {
          const row = count.get(id, status)
          tally[status] = Number(row?.n)
          if (status === 'queued') tally.untried = Number(row?.untried)
        }
        return tally as Tally
      }),

    suppressedAs: (id) =>
      database.read((sql) => {
        const counts = noSuppressions()
        const rows = sql(`
          SELECT standing, count(*) AS n FROM deliveries
          WHERE announcement = ? AND status = 'suppressed' GROUP BY standing`).all(id)
        for (const { standing, n } of rows) counts[standing as SuppressionReason] += Number(n)
        return counts
      }),

    async *deliveries(id, status) {
      const query = `
        SELECT rowid AS id, * FROM deliveries
        WHERE announcement = :announcement AND (:status IS NULL OR status = :status) AND rowid > :last`
      const values = { announcement: id, status: status ?? null }
      for await (const row of rowsOf(database, query, 0, values)) yield toDelivery(row)
    },

    deliveriesTo: (email) =>
      database.read((sql) =>
        sql(`
          SELECT deliveries.* FROM deliveries JOIN announcements
            ON announcements.id = deliveries.announcement
          WHERE addressId = ? ORDER BY begunAt DESC`)
          .all(addressIds.of(email))
          .map(toDelivery),
      ),
  }
}

type Row = Record<string, unknown>

function toDelivery(row: Row): Delivery {
  return {
    announcement: String(row.announcement),
    email: row.email === null ? undefined : String(row.email),
    status: row.status as DeliveryStatus,
    tries: Number(row.tries),
    changedAt: new Date(String(row.changedAt)),
    answer: row.answer === null ? undefined : String(row.answer),
    ...(row.standing !== null && { standing: row.standing as SuppressionReason }),
    ...(row.language !== null && { language: String(row.language) }),
  }
}
