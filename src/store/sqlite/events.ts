import type { AddressIds } from '../../keys/address-id.ts'
import {
  type EventQueue,
  HELD_AFTER_MS,
  queueIn,
  replayed,
  settled,
} from '../../people/event-queue.ts'
import { answerIn } from '../../people/known-fields.ts'
import { afterAnswers, closed, isAwayFor } from '../../queue/circuit-breaker.ts'
import { claimed, type Ended, isDue } from '../../queue/line.ts'
import { LONGEST_WAIT } from '../../queue/retry-policy.ts'
import type { EventType } from '../../shared/event-types.ts'
import type { ClaimedEvent, EventCounts, EventFeed } from '../events.ts'
import { writeBound } from './bound.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { feedIn, putQueue, queueOf } from './event-rows.ts'
import { putNote } from './notes.ts'
import { personsIn } from './persons.ts'

/** A replay goes on in the next transaction, since visitors wait for its end. */
const REPLAYED_AT_ONCE = 500

/**
 * What other systems are told of people. An event is written in the transaction of what it reports,
 * and what waits of one person is sent in order. Before the feed is opened, nothing is written. Each
 * method throws StoreUnavailable.
 */
export function sqliteEvents(database: SqliteDatabase, addressIds: AddressIds) {
  return {
    /**
     * From now on these events are written, and sent to this place; what is known of another receiver
     * is dropped.
     *
     * @param place a keyed hash of its URL.
     */
    open: (types: readonly EventType[], place: string) =>
      writeBound(database, addressIds, (sql) => {
        const known = feedIn(sql)
        keep(sql, { ...(known?.place === place && known), isOn: true, types, place })
      }),

    /** From now on only erasures are written, if there ever was a feed that had them. */
    async close() {
      if (!(await database.read(feedIn))?.isOn) return
      await database.write((sql) => changeFeed(sql, (feed) => ({ ...feed, isOn: false })))
    },

    /** @returns `undefined` where there never was one. */
    feed: () => database.read(feedIn),

    /**
     * Takes the first event of people for whom one is due, so that no other process sends it: erasures
     * and what was not tried yet go first.
     */
    async claim(limit: number, leaseMs: number, now: Date): Promise<readonly ClaimedEvent[]> {
      const at = now.getTime()
      // Most looks find nothing, and need no write.
      if ((await database.read((sql) => dueQueues(sql, at, 1))).length === 0) return []
      return database.write((sql) => claim(sql, addressIds, limit, leaseMs, at))
    },

    /** Notes how sending ended. */
    settle: (ended: readonly Ended<ClaimedEvent>[], now: Date) =>
      database.write((sql) => settle(sql, ended, now.getTime())),

    counts: () => database.read(countsIn),

    /** The people of whom something waits, in the order of their ids. */
    waiting: (limit: number) =>
      database.read((sql) =>
        rowsAfter(sql, '', limit).flatMap(({ person, queue }) =>
          queue ? [{ person, queue }] : [],
        ),
      ),

    /** Makes everything due that waits or is held. @returns for how many people. */
    replay: (now: Date) => replay(database, now.getTime()),
  }
}

async function replay(database: SqliteDatabase, at: number): Promise<number> {
  let [people, last]: [number, string | undefined] = [0, '']
  while (last !== undefined) {
    const after: string = last
    const rows = await database.write((sql) => {
      changeFeed(sql, closed)
      const rows = rowsAfter(sql, after, REPLAYED_AT_ONCE)
      for (const { person, queue } of rows) if (queue) putQueue(sql, person, replayed(queue, at))
      return rows
    })
    people += rows.length
    last = rows.at(-1)?.person
  }
  return people
}

const keep = (sql: Sql, feed: EventFeed) => putNote(sql, 'eventFeed', feed)

/** @returns the feed as it is then. */
function changeFeed(sql: Sql, change: (feed: EventFeed) => EventFeed): EventFeed | undefined {
  const feed = feedIn(sql)
  const after = feed && change(feed)
  if (after && after !== feed) keep(sql, after)
  return after
}

/**
 * What is due: untried ones first, by turns the earliest, among them erasures, and the latest. So
 * nobody waits behind many whose events fail.
 */
function dueQueues(sql: Sql, at: number, limit: number): { person: string; data: unknown }[] {
  const some = (isTried: 0 | 1, order: 'ASC' | 'DESC', most: number, from = 0, to = at) =>
    sql(`
      SELECT id AS person, data FROM queue
      WHERE kind = 'events' AND (tries > 0) = ? AND dueAt >= ? AND dueAt <= ?
      ORDER BY dueAt ${order} LIMIT ?`).all(isTried, from, to, most)
  const ahead = [at + LONGEST_WAIT + 1, Number.MAX_SAFE_INTEGER] as const
  const rows = [
    ...some(0, 'ASC', Math.ceil(limit / 2)),
    ...some(0, 'DESC', limit),
    ...some(1, 'ASC', limit),
    // By a clock that was put back since.
    ...[0, 1].flatMap((isTried) => some(isTried as 0 | 1, 'ASC', limit, ...ahead)),
  ]
  const byPerson = new Map(rows.map(({ person, data }) => [String(person), data]))
  return [...byPerson].slice(0, limit).map(([person, data]) => ({ person, data }))
}

function claim(
  sql: Sql,
  addressIds: AddressIds,
  limit: number,
  leaseMs: number,
  at: number,
): ClaimedEvent[] {
  let unread = 0
  const taken = dueQueues(sql, at, limit).flatMap(({ person, data }): ClaimedEvent[] => {
    // A row that is no queue is not ours, and would be met first each time.
    const { dropped = 0, ...queue } = queueIn(data) ?? { events: [], tries: 0, dropped: 1 }
    unread += dropped
    const [event] = queue.events
    const isOurs = event && isDue(queue, at)
    // Of one that says otherwise than its row, the row is made anew.
    if (!isOurs) putQueue(sql, person, event && queue)
    if (!isOurs) return []
    const leased = claimed<EventQueue>(queue, leaseMs, at)
    putQueue(sql, person, leased)
    const email = event.type === 'forgotten' ? undefined : queue.email
    const isAnswer = event.type === 'answered' && email !== undefined
    const answer = isAnswer
      ? answerIn(personsIn(sql, addressIds).of(addressIds.of(email)).fields)
      : undefined
    return [
      {
        ...{ id: event.id, type: event.type, at: new Date(event.at), person, lease: leased.lease },
        ...(email !== undefined && { email }),
        ...(answer !== undefined && { answer }),
      },
    ]
  })
  if (unread > 0) changeFeed(sql, (feed) => ({ ...feed, dropped: (feed.dropped ?? 0) + unread }))
  return taken
}

function settle(sql: Sql, ended: readonly Ended<ClaimedEvent>[], at: number) {
  for (const { item, answer } of ended) {
    const queue = queueOf(sql, item.person)
    if (queue) putQueue(sql, item.person, settled(queue, item, answer, at))
  }
  const answered = ended.map(({ item: { person }, answer }) => ({ person, answer }))
  const feed = changeFeed(sql, (known) => afterAnswers(known, answered, at))
  // It has taken nothing for a week: what is older is held, without being tried.
  if (feed && isAwayFor(feed, HELD_AFTER_MS, at))
    sql(`
      UPDATE queue SET dueAt = NULL,
        data = json_set(json_remove(data, '$.dueAt'), '$.heldAt', :at)
      WHERE kind = 'events' AND dueAt IS NOT NULL AND json_valid(data) AND data ->> 'lease' IS NULL
        AND ${first('type')} <> 'forgotten' AND ${first('at')} <= :before`).run({
      at,
      before: at - HELD_AFTER_MS,
    })
}

/** The first event of a queue, in SQL; nothing of a row that is none. */
const first = (field: string) => `iif(json_valid(data), data ->> '$.events[0].${field}', NULL)`

function countsIn(sql: Sql): EventCounts {
  const row = sql(`
    SELECT count(*) AS people, count(*) - count(dueAt) AS held, min(${first('at')}) AS oldest,
      count(*) FILTER (WHERE ${first('type')} = 'forgotten') AS forgotten
    FROM queue WHERE kind = 'events'`).get()
  const oldest = row?.oldest
  return {
    people: Number(row?.people),
    held: Number(row?.held),
    forgotten: Number(row?.forgotten),
    ...(oldest != null && { oldest: Number(oldest) }),
  }
}

function rowsAfter(sql: Sql, after: string, limit: number) {
  const rows = sql(
    "SELECT id, data FROM queue WHERE kind = 'events' AND id > ? ORDER BY id LIMIT ?",
  )
  const asRead = ({ id, data }: Record<string, unknown>) => ({
    person: String(id),
    queue: queueIn(data),
  })
  return rows.all(after, limit).map(asRead)
}
