import { afterNoes, release } from '../../people/changes.ts'
import { isWaitingWithSigns, toErase } from '../../people/erase-quarantined.ts'
import { withoutPending, withoutRequest } from '../../people/requests.ts'
import type { OpenList } from './open-list.ts'
import type { Persons } from './persons.ts'
import { erase, erasing } from './standings.ts'

/**
 * The operator's actions on addresses with signs of a robot, a few hundred at most. Both are idempotent
 * and throw StoreUnavailable.
 */
export function sqliteQuarantine(list: OpenList) {
  return {
    /**
     * Makes quarantined addresses subscribers, with the time of their sign-up. Those that are not
     * quarantined, or whose owner said that it was not them, stay as they are.
     *
     * @returns which were released.
     */
    release: (emails: readonly string[]): Promise<string[]> =>
      list.writeOf(emails.map(list.ids.of), (persons) => {
        const now = new Date()
        return emails.filter((email) => {
          const changed = persons.change(
            list.ids.of(email),
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
      const going = await list.writeOf(emails.map(list.ids.of), (persons) =>
        emails.filter((email) => toErase(persons.of(list.ids.of(email))) === 'address'),
      )
      return erasing(list, going, (persons) =>
        emails.filter((email) => eraseOne(persons, email, going)),
      )
    },
  }
}

/** @returns whether anything was erased; nobody who came since. */
function eraseOne(persons: Persons, email: string, going: readonly string[]): boolean {
  const addressId = persons.ids.of(email)
  const what = toErase(persons.of(addressId))
  if (what === 'address' && !going.includes(email)) return false
  if (what === 'address') erase(persons, email)
  if (what === 'request')
    persons.change(addressId, (one) =>
      withoutRequest(isWaitingWithSigns(one.pending) ? withoutPending(one) : one),
    )
  return what !== undefined
}
