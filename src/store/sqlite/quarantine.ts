import type { AddressIds } from '../../keys/address-id.ts'
import { afterNoes, release } from '../../people/changes.ts'
import { isOnList } from '../../people/person.ts'
import { isWaitingWithSigns, toErase } from '../../people/quarantine.ts'
import { withoutPending, withoutRequest } from '../../people/requests.ts'
import type { Quarantine } from '../quarantine.ts'
import { writeBound } from './bound.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { eraseTraces } from './erase-traces.ts'
import { personsIn } from './persons.ts'
import { takeInRequests } from './request-rows.ts'
import { erase, eraseNames } from './standings.ts'

export function sqliteQuarantine(database: SqliteDatabase, addressIds: AddressIds): Quarantine {
  /** @returns whether anything was erased. */
  function eraseOne(sql: Sql, email: string): boolean {
    const addressId = addressIds.of(email)
    const persons = personsIn(sql, addressIds)
    const what = toErase(persons.of(addressId))
    if (what === 'address') erase(sql, addressIds, email)
    if (what === 'request')
      persons.change(addressId, (one) =>
        withoutRequest(isWaitingWithSigns(one.pending) ? withoutPending(one) : one),
      )
    return what !== undefined
  }

  return {
    release: (emails) =>
      writeBound(database, addressIds, (sql) => {
        const [persons, now] = [personsIn(sql, addressIds), new Date()]
        return emails.filter((email) => {
          const changed = persons.change(
            addressIds.of(email),
            (one) => release(one, afterNoes(one, now)) ?? one,
          )
          return changed !== undefined && changed.after !== changed.before
        })
      }),

    async erase(emails) {
      const going = await database.read((sql) => {
        const persons = personsIn(sql, addressIds)
        return emails.filter((email) => toErase(persons.of(addressIds.of(email))) === 'address')
      })
      await eraseNames({ database, addressIds }, going)
      const { erased, gone } = await writeBound(database, addressIds, (sql) => {
        takeInRequests(sql, addressIds, emails)
        const erased = emails.filter((email) => eraseOne(sql, email))
        // For subscribers, only the request was erased.
        const persons = personsIn(sql, addressIds)
        const isGone = (email: string) => !isOnList(persons.of(addressIds.of(email)))
        return { erased, gone: erased.filter(isGone) }
      })
      await eraseTraces(database, gone)
      return erased
    },
  }
}
