import { eventsBetween } from '../../people/event-changes.ts'
import { erased, eventLines, queued } from '../../people/event-queue.ts'
import type { Person } from '../../people/person.ts'
import type { EventType } from '../../shared/event-types.ts'
import { type EventFeed, feedFrom } from '../events.ts'
import { isBoundTo, type Keyed } from './bound-to-key.ts'
import type { Sql } from './connection.ts'
import { noteIn } from './notes.ts'
import { linesIn } from './waiting-lines.ts'

/*
 * Writes what other systems are told, in the transaction of what it reports. Where no feed was ever
 * opened, this costs one look into an empty table.
 */

export const feedIn = (sql: Sql): EventFeed | undefined => feedFrom(noteIn(sql, 'eventFeed'))

/** The feed, while it is on. */
function openFeed(keyed: Keyed): EventFeed | undefined {
  const feed = feedIn(keyed.sql)
  // Ids of another key would be those of strangers.
  return feed?.isOn && isBoundTo(keyed) ? feed : undefined
}

/** Writes what happened to people, in the transaction of it. */
export type NoteEvents = (
  addressId: string,
  change: { readonly before: Person; readonly after: Person },
  options: { readonly email?: string | undefined },
) => void

export function noteEventsIn(keyed: Keyed): NoteEvents {
  const feed = openFeed(keyed)
  return (addressId, { before, after }, { email: given }) => {
    if (!feed) return
    const types = eventsBetween(before, after).filter((type) => feed.types.includes(type))
    if (types.length === 0) return
    add(keyed, addressId, types, given ?? after.email ?? before.email)
  }
}

/** Writes that the announcement left for somebody. */
export function noteTold(keyed: Keyed, addressId: string, email: string): void {
  if (openFeed(keyed)?.types.includes('told')) add(keyed, addressId, ['told'], email)
}

function add(
  { sql, ids }: Keyed,
  addressId: string,
  types: readonly EventType[],
  email: string | undefined,
): void {
  const [queues, person] = [queuesIn(sql), ids.person(addressId)]
  queues.put(person, queued(queues.of(person), types, email, Date.now()))
}

/**
 * Erases what waits of somebody, and writes that they were erased. Also while the feed is off: an
 * erasure must be heard, and names nobody.
 */
export function noteErased({ sql, ids }: Keyed, addressId: string): void {
  const [feed, person, queues] = [feedIn(sql), ids.person(addressId), queuesIn(sql)]
  const queue = queues.of(person)
  // What waits may have come with a copy, where events were never on.
  const isHeard = feed ? feed.types.includes('forgotten') : queue !== undefined
  queues.put(person, isHeard ? erased(queue, Date.now()) : undefined)
}

/** What waits of people. */
export const queuesIn = (sql: Sql) => linesIn(sql, eventLines)
