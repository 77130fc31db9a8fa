import { HELD_AFTER_MS, replayed } from '../../people/event-queue.ts'
import { afterAnswers, closed, isAwayFor } from '../../queue/circuit-breaker.ts'
import { LONGEST_WAIT } from '../../queue/retry-policy.ts'
import type { Ended } from '../../queue/waiting-line.ts'
import type { EventType } from '../../shared/event-types.ts'
import { replyIn } from '../../shared/reply.ts'
import type { ClaimedEvent, EventCounts, EventFeed } from '../events.ts'
import type { Sql } from './connection.ts'
import { feedIn, queuesIn } from './event-rows.ts'
import { putNote } from './notes.ts'
import type { OpenList } from './open-list.ts'
import { inPages } from './paged-rows.ts'
import { type Persons, personsIn } from './persons.ts'

/** A replay goes on in the next transaction, since visitors wait for its end. */
const REPLAYED_AT_ONCE = 500

/**
 * What other systems are told of people. An event is written in the transaction of what it reports,
 * and what waits of one person is sent in order. Before the feed is opened, nothing is written. Each
 * method throws StoreUnavailable.
 */
export function sqliteEvents(list: OpenList) {
  return {
    /**
     * From now on these events are written, and sent to this place; what is known of another receiver
     * is dropped.
     *
     * @param place a keyed hash of its URL.
     */
    open: (types: readonly EventType[], place: string) =>
      list.writePersons(({ sql }) => {
        const known = feedIn(sql)
        keep(sql, { ...(known?.place === place && known), isOn: true, types, place })
      }),

    /** From now on only erasures are written, if there ever was a feed that had them. */
    async close() {
      if (!(await list.read(feedIn))?.isOn) return
      await list.write((sql) => changeFeed(sql, (feed) => ({ ...feed, isOn: false })))
    },

    /** @returns `undefined` where there never was one. */
    feed: () => list.read(feedIn),

    /**
     * Takes the first event of people for whom one is due, so that no other process sends it: erasures
     * and what was not tried yet go first.
     */
    async claim(limit: number, leaseMs: number, now: Date): Promise<readonly ClaimedEvent[]> {
      const at = now.getTime()
      // Most looks find nothing, and need no write.
      if ((await list.read((sql) => due(sql, at, 1))).length === 0) return []
      return list.write((sql) =>
        due(sql, at, limit).flatMap(
          (person) => claim(personsIn({ sql, ids: list.ids }), person, leaseMs, at) ?? [],
        ),
      )
    },

    /** Notes how sending ended. */
    settle: (ended: readonly Ended<ClaimedEvent>[], now: Date) =>
      list.write((sql) => settle(sql, ended, now.getTime())),

    counts: () => list.read(countsIn),

    /** The people of whom something waits, in the order of their ids. */
    waiting: (limit: number) =>
      list.read((sql) =>
        queuesIn(sql)
          .all('', limit)
          .flatMap(({ id: person, line: queue }) => (queue ? [{ person, queue }] : [])),
      ),

    /** Makes everything due that waits or is held. @returns for how many people. */
    replay: (now: Date) => replay(list, now),
  }
}

async function replay(list: OpenList, now: Date): Promise<number> {
  let people = 0
  const some = (last: { readonly id: string } | undefined) =>
    list.write((sql) => {
      changeFeed(sql, closed)
      const queues = queuesIn(sql)
      const found = queues.all(last?.id, REPLAYED_AT_ONCE)
      for (const { id, line } of found) if (line) queues.put(id, replayed(line, now.getTime()))
      return found
    })
  for await (const page of inPages(REPLAYED_AT_ONCE, some)) people += page.length
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
 * Of whom something is due: untried ones first, by turns the earliest, among them erasures, and the
 * latest. So nobody waits behind many whose events fail.
 */
function due(sql: Sql, at: number, limit: number): string[] {
  const some = (isTried: 0 | 1, order: 'ASC' | 'DESC', most: number, from = 0, to = at) =>
    sql(`
      SELECT id FROM queue
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
  return [...new Set(rows.map(({ id }) => String(id)))].slice(0, limit)
}

function claim(
  { sql, ids, of }: Persons,
  person: string,
  leaseMs: number,
  at: number,
): ClaimedEvent | undefined {
  const { taken: queue, dropped } = queuesIn(sql).claim(person, leaseMs, at)
  if (dropped > 0) changeFeed(sql, (feed) => ({ ...feed, dropped: (feed.dropped ?? 0) + dropped }))
  const [event] = queue?.items ?? []
  if (!queue || !event) return undefined
  const email = event.type === 'forgotten' ? undefined : queue.email
  const isAnswer = event.type === 'answered' && email !== undefined
  const answer = isAnswer ? replyIn(of(ids.of(email)).fields) : undefined
  return {
    ...{ id: event.id, type: event.type, at: new Date(event.at), person, lease: queue.lease },
    ...(email !== undefined && { email }),
    ...(answer !== undefined && { answer }),
  }
}

function settle(sql: Sql, ended: readonly Ended<ClaimedEvent>[], at: number) {
  const queues = queuesIn(sql)
  for (const { item, answer } of ended) queues.settle(item.person, item, answer, at)
  const answered = ended.map(({ item: { person }, answer }) => ({ person, answer }))
  const feed = changeFeed(sql, (known) => afterAnswers(known, answered, at))
  // It has taken nothing for a week: what is older is held, without being tried.
  if (feed && isAwayFor(feed, HELD_AFTER_MS, at))
    sql(`
      UPDATE queue SET dueAt = NULL,
        data = json_set(json_remove(data, '$.dueAt'), '$.heldAt', :at)
      WHERE kind = 'events' AND dueAt IS NOT NULL AND json_valid(data) AND data ->> 'leasedUntil' IS NULL
        AND ${first('type')} <> 'forgotten' AND ${first('at')} <= :before`).run({
      at,
      before: at - HELD_AFTER_MS,
    })
}

/** The first event of a queue, in SQL; nothing of a row that is none. */
const first = (field: string) => `iif(json_valid(data), data ->> '$.items[0].${field}', NULL)`

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
