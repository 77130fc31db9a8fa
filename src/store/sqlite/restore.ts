import type { AddressIds } from '../../keys/address-id.ts'
import { erasedBy, merge } from '../../people/changes.ts'
import { isOnList, standingOf } from '../../people/person.ts'
import { withoutOwner } from '../../people/requests.ts'
import type { CopiedPerson, DeliveryRow, RestoreTarget } from '../restore-target.ts'
import type { ImportOutcome } from '../subscriber-list.ts'
import { writeBound } from './bound.ts'
import type { Sql } from './connection.ts'
import { type Counts, keepCounts } from './counters.ts'
import type { SqliteDatabase } from './database.ts'
import { countRow } from './delivery-rows.ts'
import { type Persons, personsIn } from './persons.ts'
import { appendRequests } from './request-rows.ts'
import { erase, erasing } from './standings.ts'

export function sqliteRestore(
  database: SqliteDatabase,
  addressIds: AddressIds,
): Pick<RestoreTarget, 'people' | 'requests' | 'deliveries' | 'announcement'> {
  return {
    async people(people) {
      const merged = (persons: Persons, { addressId, person }: CopiedPerson) => {
        const isGone = (id: string) => standingOf(persons.of(id)) === 'forgotten'
        const before = persons.of(addressId)
        return { before, after: merge(before, withoutOwner(person, isGone)) }
      }
      const gone = await database.read((sql) => {
        const persons = personsIn(sql, addressIds)
        return people.flatMap((one) => erasedBy(merged(persons, one))?.email ?? [])
      })
      return erasing({ database, addressIds }, gone, (sql) => {
        const persons = personsIn(sql, addressIds)
        return people.map((one): ImportOutcome | undefined => {
          const change = merged(persons, one)
          const { before, after } = change
          const erased = erasedBy(change)
          if (erased) erase(sql, addressIds, erased.email, erased.at)
          if (erased && !gone.includes(erased.email)) gone.push(erased.email)
          // What was asked since stays.
          persons.change(one.addressId, (kept) => merge(kept, after), { isNews: false })
          if (!isOnList(one.person)) return undefined
          if (!isOnList(after)) return 'forgotten'
          return isOnList(before) ? 'known' : 'added'
        })
      })
    },

    requests: (asked) =>
      database.write((sql) => {
        for (const { at, ...one } of asked) appendRequests(sql, [one], at)
      }),

    deliveries: (id, rows) =>
      writeBound(database, addressIds, (sql) => {
        const persons = personsIn(sql, addressIds)
        const counts: Counts = new Map()
        for (const row of rows) keepDelivery(sql, persons, id, row, counts)
        keepCounts(sql, counts)
      }),

    announcement: ({ id, subject, digest, begunAt }) =>
      writeBound(database, addressIds, (sql) => {
        sql(`
          INSERT OR IGNORE INTO announcements (id, subject, digest, begunAt, upTo, eligible)
          VALUES (?, ?, ?, ?, 0, 0)`).run(id, subject, digest, begunAt.toISOString())
        sql(`
          UPDATE announcements SET
            eligible = (SELECT count(*) FROM deliveries WHERE announcement = :id),
            upTo = coalesce(
              (SELECT min(number) - 1 FROM persons WHERE number IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM deliveries
                WHERE announcement = :id AND deliveries.number = persons.number)),
              (SELECT max(number) FROM persons), 0)
          WHERE id = :id`).run({ id })
      }),
  }
}

/** The number here of a row of the copy that leads to nobody: another for each, and the same each time. */
const nobodys = (number: number): number => (number < 0 ? 2 * number : -2 * number - 1)

/** Of somebody who is not on the list here it is kept that there was one. */
function keepDelivery(sql: Sql, persons: Persons, id: string, row: DeliveryRow, counts: Counts) {
  const { addressId, tries, changedAt } = row
  const number = addressId === undefined ? undefined : persons.get(addressId)?.number
  const isGone = number === undefined
  const status = isGone ? 'forgotten' : row.status
  const standing = status === 'suppressed' ? (row.standing ?? 'unsubscribed') : undefined
  const { changes } = sql(`
    INSERT OR IGNORE INTO deliveries
      (announcement, number, status, tries, turn, changedAt, answer, standing, language)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
    ...[id, number ?? nobodys(row.number), status, tries],
    ...[changedAt.getTime(), changedAt.toISOString()],
    ...[isGone ? null : (row.answer ?? null), standing ?? null],
    isGone ? null : (row.language ?? null),
  )
  if (changes > 0) countRow(counts, id, undefined, { status, tries, standing })
}
