import type { AddressIds } from '../../keys/address-id.ts'
import { firstNameIn } from '../../people/first-name.ts'
import { languageIn } from '../../people/known-fields.ts'
import { extraOf, nobody, whyNotMailed } from '../../people/person.ts'
import { unreadable } from '../../people/stored.ts'
import type { ClaimedDelivery, DeliveryLedger, DeliveryResult } from '../delivery-ledger.ts'
import { sqliteAnnouncements } from './announcements.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { sqliteDeliveries } from './deliveries.ts'
import { noteTold } from './event-rows.ts'
import { isForgotten, type Persons, personsIn } from './persons.ts'
import { whileOwner } from './while-owner.ts'

/** The ledger; this file writes the rows of deliveries. */
export function sqliteLedger(database: SqliteDatabase, addressIds: AddressIds): DeliveryLedger {
  const { writeOwned } = whileOwner(database, addressIds)

  return {
    ...sqliteAnnouncements(database, addressIds),
    ...sqliteDeliveries(database, addressIds),

    enlist: (owner, id, subscribers) =>
      writeOwned(owner, (sql, now) => {
        const insert = sql(`
          INSERT INTO deliveries
            (announcement, addressId, email, status, dueAt, changedAt, standing)
          SELECT :id, :addressId, :email, :status, :dueAt, :now, :leftOut
          WHERE NOT EXISTS (SELECT 1 FROM persons WHERE ${isForgotten} AND id = :addressId)
          ON CONFLICT DO NOTHING`)
        let added = 0
        for (const { email, subscribedAt, dueAt = subscribedAt, leftOut = null } of subscribers) {
          const status = leftOut ? 'suppressed' : 'queued'
          const row = { id, email, addressId: addressIds.of(email), now, status, leftOut }
          const { changes } = insert.run({ ...row, dueAt: dueAt.toISOString() })
          added += Number(changes)
        }
        return added
      }),

    claim: (owner, id, { limit, which }, ended = []) =>
      writeOwned(
        owner,
        (sql, now) => {
          const due = sql(`
            SELECT rowid AS id, addressId, email, tries + 1 AS tries, dueAt FROM deliveries
            WHERE announcement = ? AND status = 'queued' AND (tries > 0) = ? AND dueAt <= ?
            ORDER BY dueAt, rowid LIMIT 1`)
          const take = sql(`
            UPDATE deliveries SET status = ?, tries = ?, changedAt = ?, owner = ?, standing = ?
            WHERE rowid = ?`)
          const [claimed, persons] = [[], personsIn(sql, addressIds)] as [
            ClaimedDelivery[],
            Persons,
          ]
          while (claimed.length < limit) {
            const row = due.get(id, which === 'tried' ? 1 : 0, now)
            if (!row) break
            const { addressId, email, tries, dueAt } = row as unknown as DueRow
            const person = persons.get(addressId)?.person ?? nobody
            const out = person === unreadable ? 'unmailable' : whyNotMailed(person)?.standing
            if (person === unreadable || out)
              take.run('suppressed', tries - 1, now, null, out ?? null, row.id as number)
            else {
              take.run('sending', tries, now, owner, null, row.id as number)
              const extra = extraOf(person)
              const known = { language: languageIn(extra), firstName: firstNameIn(extra) }
              claimed.push({ addressId, email, tries, dueAt: new Date(dueAt), ...known })
            }
          }
          return claimed
        },
        (sql) => note(sql, addressIds, owner, id, ended),
      ),

    record: (owner, id, results) =>
      database.write((sql) => note(sql, addressIds, owner, id, results)),

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
            UPDATE deliveries SET status = 'uncertain',
              changedAt = max(?, (SELECT max(changedAt) FROM deliveries))
            WHERE announcement = ? AND status = 'sending' AND owner <> ?`).run(now, id, owner)
            .changes,
        ),
      ),

    requeue: (owner, id, status) =>
      writeOwned(owner, (sql, now) =>
        Number(
          sql(`
            UPDATE deliveries SET status = 'queued', dueAt = ?, changedAt = ?, owner = NULL,
              tries = max(1, tries)
            WHERE announcement = ? AND status = ?`).run(now, now, id, status).changes,
        ),
      ),

    decideAgain: (owner, id, people, leftOutAs) =>
      writeOwned(owner, (sql, now) => {
        const decide = sql(`
          UPDATE deliveries SET status = ?, standing = ?, changedAt = ?, dueAt = coalesce(?, dueAt)
          WHERE addressId = ? AND announcement = ? AND status = 'suppressed' AND standing = ?`)
        for (const { email, leftOut = null, dueAt } of people) {
          const status = leftOut ? 'suppressed' : 'queued'
          const due = dueAt?.toISOString() ?? null
          decide.run(status, leftOut, now, due, addressIds.of(email), id, leftOutAs)
        }
      }),
  }
}

function note(
  sql: Sql,
  addressIds: AddressIds,
  owner: string,
  id: string,
  results: readonly DeliveryResult[],
): void {
  const now = new Date().toISOString()
  const update = sql(`
    UPDATE deliveries SET status = ?, tries = ?, answer = coalesce(?, answer), standing = ?,
      language = coalesce(?, language), changedAt = ?, dueAt = coalesce(?, dueAt)
    WHERE addressId = ? AND announcement = ? AND owner = ? AND tries = ?
      AND status IN ('sending', 'uncertain')`)
  for (const result of results) {
    const { addressId, tries, at } = result
    const isBegun = 'answer' in result
    const { changes } = update.run(
      result.status === 'returned' ? 'queued' : result.status,
      isBegun ? tries : tries - 1,
      isBegun ? result.answer : null,
      result.status === 'suppressed' ? result.standing : null,
      result.language ?? null,
      at?.toISOString() ?? now,
      result.status === 'queued' ? result.dueAt.toISOString() : null,
      ...[addressId, id, owner, tries],
    )
    if (result.status !== 'sent' || changes === 0) continue
    const row = sql('SELECT email FROM deliveries WHERE addressId = ? AND announcement = ?')
    noteTold(sql, addressIds, addressId, String(row.get(addressId, id)?.email))
  }
}

interface DueRow {
  readonly addressId: string
  readonly email: string
  readonly tries: number
  readonly dueAt: string
}
