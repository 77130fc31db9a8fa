import type { AddressIds } from '../../keys/address-id.ts'
import { merge } from '../../people/changes.ts'
import { isOnList, standingOf } from '../../people/person.ts'
import { withoutOwner } from '../../people/requests.ts'
import type { RestoreTarget } from '../restore-target.ts'
import type { ImportOutcome } from '../subscriber-list.ts'
import { writeBound } from './bound.ts'
import type { SqliteDatabase } from './database.ts'
import { eraseTraces } from './erase-traces.ts'
import { personsIn } from './persons.ts'
import { erase } from './standings.ts'

export function sqliteRestore(
  database: SqliteDatabase,
  addressIds: AddressIds,
): Pick<RestoreTarget, 'people' | 'deliveries' | 'announcement'> {
  return {
    async people(people) {
      const gone: string[] = []
      const outcomes = await writeBound(database, addressIds, (sql) => {
        const persons = personsIn(sql, addressIds)
        return people.map(({ addressId, person }): ImportOutcome | undefined => {
          const isGone = (id: string) => standingOf(persons.of(id)) === 'forgotten'
          const theirs = withoutOwner(person, isGone)
          const before = persons.of(addressId)
          const after = merge(before, theirs)
          const { email, forgottenAt = 0 } = before
          const erasedAt = isOnList(after) ? undefined : after.forgottenAt
          if (email !== undefined && erasedAt && erasedAt > forgottenAt) {
            erase(sql, addressIds, email, erasedAt)
            gone.push(email)
          }
          // What was asked since stays.
          persons.change(addressId, (one) => merge(one, after), {
            isNews: false,
          })
          if (!isOnList(person)) return undefined
          if (!isOnList(after)) return 'forgotten'
          return isOnList(before) ? 'known' : 'added'
        })
      })
      if (gone.length > 0) await eraseTraces(database, gone)
      return outcomes
    },

    deliveries: (id, rows) =>
      writeBound(database, addressIds, (sql) => {
        const persons = personsIn(sql, addressIds)
        const insert = sql(`
          INSERT OR IGNORE INTO deliveries
            (announcement, addressId, email, status, tries, dueAt, changedAt, answer, standing,
              language)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
        for (const row of rows) {
          const gone = standingOf(persons.of(row.addressId)) === 'forgotten'
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
