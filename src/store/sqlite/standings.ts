import { afterYeses, forget, sayNo } from '../../people/changes.ts'
import type { Extra } from '../../people/extra-fields.ts'
import { namingTag } from '../../people/index-tags.ts'
import { namedIn, withoutNamed, withStillInterested } from '../../people/known-fields.ts'
import { endOfDoubt } from '../../people/late-entries.ts'
import { nobody, standingOf, whyNotMailed } from '../../people/person.ts'
import { withoutOwner } from '../../people/requests.ts'
import { cleanDetail, type StandingEntry } from '../../people/standing.ts'
import { isProbeAddress } from '../../shared/probe-address.ts'
import type { Forgotten, HeardDeparture } from '../subscriber-list.ts'
import { eraseUntil, eraseWaiting } from './arrivals.ts'
import { deliveriesTo, wasWrittenTo } from './delivery-rows.ts'
import { eraseTraces } from './erase-traces.ts'
import { noteErased } from './event-rows.ts'
import { eraseElsewhere, timeOfNo } from './inbox-rows.ts'
import type { OpenList } from './open-list.ts'
import type { Persons } from './persons.ts'

/**
 * How people stand. By their `addressId` they can be found, but it does not reveal an address. Each
 * method throws StoreUnavailable.
 */
export function sqliteStandings(list: OpenList) {
  return {
    ...pressesOf(list),

    /**
     * Sets the departures of addresses, on the list or not, a few hundred at most. Idempotent.
     *
     * @returns for each, in order, whether it is in force now.
     */
    set: (heard: readonly HeardDeparture[]): Promise<boolean[]> =>
      list.writeOf(
        heard.map(({ email }) => list.ids.of(email)),
        (persons) => setAll(persons, heard),
      ),

    /**
     * Erases the address everywhere in the store, so that its bytes are in none of the store's files,
     * with all its data, except the mark that it was forgotten. Its deliveries stay as `forgotten`
     * rows without an address. One that was never here is remembered as well.
     */
    forget: (email: string): Promise<Forgotten> =>
      erasing(list, [email], (persons) => {
        eraseWaiting(persons, [email])
        return erase(persons, email)
      }),

    /**
     * Erases a few hundred addresses at little more than the cost of one.
     *
     * @throws StoreUnavailable when not all of them are surely erased; erasing them again does no harm.
     */
    forgetAll: (emails: readonly string[]): Promise<void> =>
      erasing(list, emails, (persons) => {
        eraseWaiting(persons, emails)
        for (const email of emails) erase(persons, email)
      }),

    /** Why an address is not mailed. @returns `undefined` for all others, on the list or not. */
    of: (email: string): Promise<StandingEntry | undefined> =>
      list.readPersons((persons) => whyNotMailed(persons.of(list.ids.of(email)))),
  }
}

/**
 * What links do that letters carry. Anybody can request one thousands of times, and a sync for each would
 * stall all visitors. An unknown id resolves in the same way.
 */
function pressesOf(list: OpenList) {
  return {
    /**
     * No announcement reaches this address from now on, not even the rest of a running one. A repeat
     * renews its time.
     */
    unsubscribe: list.together<string>((group) =>
      list.writeOf(group, (persons) => {
        const now = timeOfNo(persons.sql)
        for (const addressId of new Set(group))
          persons.change(addressId, (one) =>
            sayNo(one, 'unsubscribed', { at: afterYeses(one, now) }),
          )
      }),
    ),

    /**
     * Keeps that somebody still wants to be told, since now. It lifts no standing, and nothing is kept
     * of an address that is not on the list, or got no letter.
     */
    stayInterested: list.together<string>((group) =>
      list.writeOf(group, (persons) => {
        const at = new Date()
        for (const addressId of new Set(group))
          if (wasWrittenTo(persons.sql, addressId))
            persons.change(addressId, (one) => ({
              ...one,
              fields: withStillInterested(one.fields, at),
            }))
      }),
    ),
  }
}

/** @returns for each whether it stands so now. */
function setAll(persons: Persons, heard: readonly HeardDeparture[]): boolean[] {
  const now = timeOfNo(persons.sql)
  return heard.map(({ email, standing, at, detail }) => {
    if (isProbeAddress(email)) return false
    const changed = persons.change(
      persons.ids.of(email),
      (one) =>
        sayNo(one, standing, { at: at ?? afterYeses(one, now), detail: cleanDetail(detail) }),
      { email },
    )
    return changed !== undefined && standingOf(changed.after) === standing
  })
}

/**
 * Erases in a transaction, once it is erased that these referred others: some in each transaction, since
 * anybody can leave a million addresses by one link. Then no file has a trace of them.
 */
export async function erasing<T>(
  list: OpenList,
  emails: readonly string[],
  work: (persons: Persons) => T,
): Promise<T> {
  for (const erased of emails.map(list.ids.of))
    await list.changeUnder(namingTag(erased), undefined, (one) =>
      withoutOwner(one, (id) => id === erased),
    )
  const result = await list.writePersons(work)
  // Of nobody, what a run left that was killed.
  await eraseTraces(list, emails)
  return result
}

/**
 * Erases an address, within `erasing`: a mark that it was forgotten stays, and its deliveries without the
 * address.
 *
 * @param heardAt when it was forgotten elsewhere; left out, it is said now.
 */
export function erase(persons: Persons, email: string, heardAt?: Date): Forgotten {
  const { sql, ids } = persons
  const addressId = ids.of(email)
  // A copy from before must not bring them back, also where the clock was set back since.
  const at = heardAt ?? afterYeses(persons.of(addressId), timeOfNo(sql))
  const kept = persons.get(addressId)
  const deliveries = kept?.number === undefined ? 0 : deliveriesTo(sql, kept.number).length
  persons.erase(addressId, email, (one) => forget(one, at))
  eraseElsewhere(persons, email, at)
  sql('DELETE FROM refusals WHERE addressId = ?').run(addressId)
  eraseUntil(sql, [addressId], endOfDoubt(at).toISOString())
  eraseNaming(persons, addressId)
  noteErased(persons, addressId)
  const wasSubscriber = kept?.number !== undefined
  const { request, pending } = kept?.person ?? nobody
  return { wasSubscriber, wasAsked: (request ?? pending) !== undefined, deliveries }
}

/** Erases what names somebody of others. */
function eraseNaming(persons: Persons, addressId: string) {
  for (const friend of persons.under(namingTag(addressId)))
    persons.change(friend.addressId, (one) => withoutOwner(one, (id) => id === addressId))
}

/** What a file or a copy says of somebody, without what names those who were erased here. */
export function withoutErased<T extends Extra | undefined>(persons: Persons, extra: T): T {
  if (!extra || namedIn(extra).length === 0) return extra
  return withoutNamed(extra, (named) => standingOf(persons.of(named)) === 'forgotten')
}
