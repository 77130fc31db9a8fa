import type { AddressIds } from '../../keys/address-id.ts'
import {
  type Announcement,
  type Delivery,
  type DeliveryLedger,
  type DeliveryResult,
  type DeliveryStatus,
  deliveryStatuses,
  noSuppressions,
  type SuppressionReason,
  type Tally,
} from '../delivery-ledger.ts'
import { LockLost } from '../run-lock.ts'
import type { Sql, SqliteDatabase } from './database.ts'
import { holdsLock } from './lock.ts'
import { writeBound } from './standings.ts'

const PAGE = 1000

export function sqliteLedger(database: SqliteDatabase, addressIds: AddressIds): DeliveryLedger {
  /** @param always is done whoever has the lock. */
  async function writeOwned<T>(
    owner: string,
    work: (sql: Sql, now: string) => T,
    always = (_sql: Sql) => {},
  ): Promise<T> {
    const done = await writeBound(database, addressIds, (sql) => {
      always(sql)
      const now = new Date().toISOString()
      return holdsLock(sql, owner, now) ? { result: work(sql, now) } : undefined
    })
    if (!done) throw new LockLost('Another run has the lock.')
    return done.result
  }

  const find = (sql: Sql, id: string) =>
    sql('SELECT * FROM announcements WHERE id = ?').get(id) as Row | undefined

  /** @throws when there is no such announcement, which is a mistake of the caller's. */
  function found(row: Row | undefined): Announcement {
    if (!row) throw new Error('There is no such announcement.')
    return toAnnouncement(row)
  }

  return {
    claiming: { roundTrips: 1, ahead: 0 },

    announcements: () =>
      database.read((sql) =>
        sql('SELECT * FROM announcements ORDER BY begunAt DESC').all().map(toAnnouncement),
      ),

    async findAnnouncement(id) {
      const row = await database.read((sql) => find(sql, id))
      return row && toAnnouncement(row)
    },

    async begin(owner, id, { subject, digest }) {
      return found(
        await writeOwned(owner, (sql, now) => {
          sql(`
            INSERT INTO announcements (id, subject, digest, begunAt, cutOff) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET subject = excluded.subject, digest = excluded.digest`).run(
            id,
            subject,
            digest,
            now,
            now,
          )
          return find(sql, id)
        }),
      )
    },

    async moveCutOff(owner, id) {
      return found(
        await writeOwned(owner, (sql, now) => {
          sql('UPDATE announcements SET cutOff = ?, eligible = NULL WHERE id = ?').run(now, id)
          return find(sql, id)
        }),
      )
    },

    enlist: (owner, id, subscribers) =>
      writeOwned(owner, (sql, now) => {
        const insert = sql(`
          INSERT INTO deliveries
            (announcement, addressId, email, status, dueAt, changedAt, standing)
          SELECT :id, :addressId, :email, :status, :dueAt, :now, :leftOut
          WHERE NOT EXISTS (
            SELECT 1 FROM standings WHERE addressId = :addressId AND standing = 'forgotten'
          )
          ON CONFLICT DO NOTHING`)
        let added = 0
        for (const { email, subscribedAt, leftOut = null } of subscribers) {
          const status = leftOut ? 'suppressed' : 'queued'
          const row = { id, email, addressId: addressIds.of(email), now, status, leftOut }
          const { changes } = insert.run({ ...row, dueAt: subscribedAt.toISOString() })
          added += Number(changes)
        }
        return added
      }),

    async countEligible(owner, id) {
      return found(
        await writeOwned(owner, (sql) => {
          sql(`
            UPDATE announcements SET eligible = (
              SELECT count(*) FROM documents
              WHERE data ->> 'subscribedAt' < cutOff
            ) + (
              SELECT count(*) FROM deliveries WHERE announcement = :id AND status = 'forgotten'
            ) WHERE id = :id`).run({ id })
          return find(sql, id)
        }),
      )
    },

    claim: (owner, id, { limit, which }, ended = []) =>
      writeOwned(
        owner,
        (sql, now) => {
          const due = sql(`
            SELECT rowid AS id, addressId, email, tries + 1 AS tries, dueAt,
              (SELECT standing FROM standings
               WHERE standings.addressId = deliveries.addressId AND standing <> 'subscribed') AS out
            FROM deliveries
            WHERE announcement = ? AND status = 'queued' AND (tries > 0) = ? AND dueAt <= ?
            ORDER BY dueAt, rowid LIMIT 1`)
          const take = sql(`
            UPDATE deliveries SET status = ?, tries = ?, changedAt = ?, owner = ?, standing = ?
            WHERE rowid = ?`)
          const claimed = []
          while (claimed.length < limit) {
            const row = due.get(id, which === 'tried' ? 1 : 0, now)
            if (!row) break
            const { addressId, email, tries, dueAt, out } = row as unknown as DueRow
            if (out) take.run('suppressed', tries - 1, now, null, out, row.id as number)
            else {
              take.run('sending', tries, now, owner, null, row.id as number)
              claimed.push({ addressId, email, tries, dueAt: new Date(dueAt) })
            }
          }
          return claimed
        },
        (sql) => note(sql, owner, id, ended),
      ),

    record: (owner, id, results) => database.write((sql) => note(sql, owner, id, results)),

    nextRetry: (id) =>
      database.read((sql) => {
        const row = sql(`
          SELECT dueAt FROM deliveries
          WHERE announcement = ? AND status = 'queued' AND (tries > 0) = 1
          ORDER BY dueAt LIMIT 1`).get(id)
        return row && new Date(String(row.dueAt))
      }),

    settle: (owner, id) =>
      writeOwned(owner, (sql, now) =>
        Number(
          sql(`
            UPDATE deliveries SET status = 'uncertain', changedAt = ?
            WHERE announcement = ? AND status = 'sending' AND owner <> ?`).run(now, id, owner)
            .changes,
        ),
      ),

    requeue: (owner, id, status) =>
      writeOwned(owner, (sql, now) =>
        Number(
          sql(`
            UPDATE deliveries SET status = 'queued', dueAt = ?, changedAt = ?, owner = NULL
            WHERE announcement = ? AND status = ?`).run(now, now, id, status).changes,
        ),
      ),

    bringBack: (owner, id, emails) =>
      writeOwned(owner, (sql, now) => {
        const back = sql(`
          UPDATE deliveries SET status = 'queued', standing = NULL, changedAt = ?
          WHERE addressId = ? AND announcement = ? AND status = 'suppressed' AND standing = 'told'`)
        for (const email of emails) back.run(now, addressIds.of(email), id)
      }),

    toldAmong: (announcements, emails) =>
      database.read((sql) => {
        const told = sql(`
          SELECT 1 FROM deliveries
          WHERE addressId = ? AND announcement IN (SELECT value FROM json_each(?))
            AND status IN ('sent', 'uncertain', 'sending')`)
        const among = JSON.stringify(announcements)
        return new Set(emails.filter((email) => told.get(addressIds.of(email), among)))
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
      let last = 0
      for (;;) {
        const page = await database.read((sql) =>
          sql(`
            SELECT rowid AS id, * FROM deliveries
            WHERE announcement = :id AND (:status IS NULL OR status = :status) AND rowid > :last
            ORDER BY rowid LIMIT ${PAGE}`).all({ id, status: status ?? null, last }),
        )
        for (const row of page) {
          last = Number(row.id)
          yield toDelivery(row)
        }
        if (page.length < PAGE) return
      }
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

function note(sql: Sql, owner: string, id: string, results: readonly DeliveryResult[]): void {
  const now = new Date().toISOString()
  const update = sql(`
    UPDATE deliveries SET status = ?, tries = ?, answer = coalesce(?, answer), changedAt = ?,
      dueAt = coalesce(?, dueAt)
    WHERE addressId = ? AND announcement = ? AND owner = ? AND tries = ?
      AND status IN ('sending', 'uncertain')`)
  for (const result of results) {
    const { addressId, tries } = result
    const [status, triesNow, answer, dueAt] =
      result.status === 'returned'
        ? ['queued', tries - 1, null, null]
        : [
            result.status,
            tries,
            result.answer,
            result.status === 'queued' ? result.dueAt.toISOString() : null,
          ]
    update.run(status, triesNow, answer, now, dueAt, addressId, id, owner, tries)
  }
}

type Row = Record<string, unknown>

interface DueRow {
  readonly addressId: string
  readonly email: string
  readonly tries: number
  readonly dueAt: string
  /** Why they are not written to, if they are not. */
  readonly out: SuppressionReason | null
}

function toAnnouncement(row: Row): Announcement {
  return {
    id: String(row.id),
    subject: String(row.subject),
    digest: String(row.digest),
    begunAt: new Date(String(row.begunAt)),
    cutOff: new Date(String(row.cutOff)),
    eligible: row.eligible === null ? undefined : Number(row.eligible),
  }
}

function toDelivery(row: Row): Delivery {
  return {
    announcement: String(row.announcement),
    email: row.email === null ? undefined : String(row.email),
    status: row.status as DeliveryStatus,
    tries: Number(row.tries),
    changedAt: new Date(String(row.changedAt)),
    answer: row.answer === null ? undefined : String(row.answer),
    ...(row.standing !== null && { standing: row.standing as SuppressionReason }),
  }
}
