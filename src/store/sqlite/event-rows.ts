import type { AddressIds } from '../../keys/address-id.ts'
import { eventsBetween, type SeenPerson } from '../../people/event-changes.ts'
import { type EventQueue, erased, queued, queueIn } from '../../people/event-queue.ts'
import { consentIn } from '../../people/pending.ts'
import { isOnList, type Person, standingOf, whyNotMailed } from '../../people/person.ts'
import type { EventType } from '../../shared/event-types.ts'
import type { EventFeed } from '../events.ts'
import { isBoundTo } from './bound-key.ts'
import type { Sql } from './connection.ts'
import { lineOf, putLine } from './queue-rows.ts'

/*
 * Writes what other systems are told, in the transaction of what it reports. Where no feed was ever
 * opened, this costs one look into an empty table.
 */

export function feedIn(sql: Sql): EventFeed | undefined {
  const row = sql('SELECT data FROM eventFeed').get()
  return row && (JSON.parse(String(row.data)) as EventFeed)
}

/** The feed, while it is on and has one of these events. */
function feedOf(sql: Sql, ids: AddressIds, types?: readonly EventType[]): EventFeed | undefined {
  const feed = feedIn(sql)
  if (!feed?.isOn || (types && !feed.types.some((one) => types.includes(one)))) return undefined
  // Ids of another key would be those of strangers.
  return isBoundTo(sql, ids.fingerprint) ? feed : undefined
}

/** Writes what happened to people, in the transaction of it. */
export interface EventNotes {
  /** @param isAlike whether as much is written for those to whom nothing happened. */
  note(
    addressId: string,
    change: { readonly before: Person; readonly after: Person },
    options: { readonly email?: string | undefined; readonly isAlike?: boolean },
  ): void
}

export function eventNotes(sql: Sql, ids: AddressIds): EventNotes {
  const feed = feedOf(sql, ids)
  return {
    note(addressId, { before, after }, { email: given, isAlike }) {
      if (!feed) return
      const now = Date.now()
      const types = eventsBetween(seen(before), seen(after))
      if (types.length === 0 && !isAlike) return
      const email = given ?? after.email ?? before.email ?? emailOf(sql, ids, addressId)
      add(sql, ids, feed, addressId, email, types, now)
      if (types.length === 0) writeAlike(sql, ids.person(addressId), email, now)
    },
  }
}

const seen = (one: Person): SeenPerson => ({
  isOnList: isOnList(one),
  standing: whyNotMailed(one)?.standing,
  confirmedAt: consentIn(one.fields)?.confirmedAt,
})

function writeAlike(sql: Sql, person: string, email: string | undefined, now: number) {
  const queue = queueOf(sql, person)
  putQueue(sql, person, queued(queue, queue ? [] : ['subscribed'], email, now))
  if (!queue) putQueue(sql, person, undefined)
}

/** Writes that the announcement left for somebody. */
export function noteTold(sql: Sql, ids: AddressIds, addressId: string, email: string): void {
  const feed = feedOf(sql, ids, ['told'])
  if (feed) add(sql, ids, feed, addressId, email, ['told'], Date.now())
}

/**
 * Writes that somebody answered, if they count; of those whose answer is not kept as much is written.
 *
 * @param one as they are, with the answer.
 */
export function noteAnswered(
  sql: Sql,
  ids: AddressIds,
  addressId: string,
  isKept: boolean,
  one: Person,
  email = one.email,
): void {
  const feed = feedOf(sql, ids, ['answered'])
  if (!feed) return
  if (isKept && standingOf(one) === 'subscribed')
    add(sql, ids, feed, addressId, email, ['answered'], Date.now())
  else writeAlike(sql, ids.person(addressId), email, Date.now())
}

/**
 * Erases what waits of somebody, and writes that they were erased. Also while the feed is off: an
 * erasure must be heard, and names nobody.
 */
export function noteErased(sql: Sql, ids: AddressIds, addressId: string): void {
  const feed = feedIn(sql)
  if (!feed || !isBoundTo(sql, ids.fingerprint)) return
  const person = ids.person(addressId)
  if (feed.types.includes('forgotten'))
    putQueue(sql, person, erased(queueOf(sql, person), Date.now()))
  else putQueue(sql, person, undefined)
}

function add(
  sql: Sql,
  ids: AddressIds,
  { types: wanted }: EventFeed,
  addressId: string,
  email: string | undefined,
  happened: readonly EventType[],
  now: number,
) {
  const types = happened.filter((one) => wanted.includes(one))
  if (types.length === 0) return
  const person = ids.person(addressId)
  putQueue(sql, person, queued(queueOf(sql, person), types, email, now))
}

/** The address of somebody who followed a link, which holds only an id. */
function emailOf(sql: Sql, ids: AddressIds, addressId: string): string | undefined {
  return queueOf(sql, ids.person(addressId))?.email
}

export function queueOf(sql: Sql, person: string): EventQueue | undefined {
  return queueIn(lineOf(sql, 'events', person))
}

export const putQueue = (sql: Sql, person: string, queue: EventQueue | undefined): void =>
  putLine(sql, 'events', person, queue)
