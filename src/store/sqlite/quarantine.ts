import type { AddressIds } from '../../keys/address-id.ts'
import { afterNoes, release } from '../../people/changes.ts'
import { isOnList, whyNotMailed } from '../../people/person.ts'
import { isDisowned, isWaitingWithSigns, type Quarantine, toErase } from '../quarantine.ts'
import { writeBound } from './bound.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { eraseTraces } from './erase-traces.ts'
import { pendingOf } from './pending-rows.ts'
import { personsIn } from './persons.ts'
import { erase } from './standings.ts'

export function sqliteQuarantine(database: SqliteDatabase, addressIds: AddressIds): Quarantine {
  /** @returns whether anything was erased. */
  function eraseOne(sql: Sql, email: string): boolean {
    const addressId = addressIds.of(email)
    const one = personsIn(sql, addressIds).of(addressId)
    const pending = pendingOf(sql, addressId)
    const requests = sql('SELECT suspicion FROM outbox WHERE email = ?').all(email)
    const what = toErase({
      standing: whyNotMailed(one)?.standing,
      isOnList: isOnList(one),
      pending,
      requests: requests.map(({ suspicion }) =>
        suspicion === null ? undefined : String(suspicion),
      ),
    })
    if (what === 'address') erase(sql, addressIds, email)
    if (what === 'request') {
      sql('DELETE FROM outbox WHERE email = ?').run(email)
      if (isWaitingWithSigns(pending)) sql('DELETE FROM pending WHERE addressId = ?').run(addressId)
    }
    return what !== undefined
  }

  return {
    release: (emails) =>
      writeBound(database, addressIds, (sql) => {
        const [persons, now] = [personsIn(sql, addressIds), new Date()]
        return emails.filter((email) => {
          const addressId = addressIds.of(email)
          const pending = pendingOf(sql, addressId)
          const changed = persons.change(
            addressId,
            (one) => release(one, afterNoes(one, now), isDisowned('quarantined', pending)) ?? one,
          )
          return changed !== undefined && changed.after !== changed.before
        })
      }),

    async erase(emails) {
      const { erased, gone } = await writeBound(database, addressIds, (sql) => {
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
