import type { AddressIds } from '../../keys/address-id.ts'
import { afterNoes, release } from '../../people/changes.ts'
import { isWaitingWithSigns, toErase } from '../../people/erase-quarantined.ts'
import { withoutPending, withoutRequest } from '../../people/requests.ts'
import { writeBound } from './bound-to-key.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { personsIn } from './persons.ts'
import { erase, erasing } from './standings.ts'
import { takeInOf } from './taking-in.ts'

/**
 * The operator's actions on addresses with signs of a robot, a few hundred at most. Both are idempotent
 * and throw StoreUnavailable.
 */
export function sqliteQuarantine(database: SqliteDatabase, addressIds: AddressIds) {
  /** @returns whether anything was erased; nobody who came since. */
  function eraseOne(sql: Sql, email: string, going: readonly string[]): boolean {
    const addressId = addressIds.of(email)
    const persons = personsIn(sql, addressIds)
    const what = toErase(persons.of(addressId))
    if (what === 'address' && !going.includes(email)) return false
    if (what === 'address') erase(sql, addressIds, email)
    if (what === 'request')
      persons.change(addressId, (one) =>
        withoutRequest(isWaitingWithSigns(one.pending) ? withoutPending(one) : one),
      )
    return what !== undefined
  }

  return {
    /**
     * Makes quarantined addresses subscribers, with the time of their sign-up. Those that are not
     * quarantined, or whose owner said that it was not them, stay as they are.
     *
     * @returns which were released.
     */
    release: (emails: readonly string[]): Promise<string[]> =>
      writeBound(database, addressIds, (sql) => {
        takeInOf(sql, addressIds, emails.map(addressIds.of))
        const [persons, now] = [personsIn(sql, addressIds), new Date()]
        return emails.filter((email) => {
          const changed = persons.change(
            addressIds.of(email),
            (one) => release(one, afterNoes(one, now)) ?? one,
          )
          return changed !== undefined && changed.after !== changed.before
        })
      }),

    /**
     * Erases, as `forgetAll` does, those that are quarantined or have yet to confirm a sign-up with
     * signs. Addresses that signed up without signs meanwhile stay, which is checked in the same
     * transaction. For subscribers who are not held, only the waiting sign-up is erased.
     *
     * @returns which were erased. @throws StoreUnavailable when not all of them are surely erased.
     */
    async erase(emails: readonly string[]): Promise<string[]> {
      const place = { database, addressIds }
      await writeBound(database, addressIds, (sql) =>
        takeInOf(sql, addressIds, emails.map(addressIds.of)),
      )
      const going = await database.read((sql) => {
        const persons = personsIn(sql, addressIds)
        return emails.filter((email) => toErase(persons.of(addressIds.of(email))) === 'address')
      })
      return erasing(place, going, (sql) => emails.filter((email) => eraseOne(sql, email, going)))
    },
  }
}
