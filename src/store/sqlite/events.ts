import type { AddressIds } from '../../keys/address-id.ts'
import {
  claimed,
  HELD_AFTER_MS,
  isDue,
  queueIn,
  replayed,
  settled,
} from '../../people/event-queue.ts'
import { answerIn } from '../../people/known-fields.ts'
import { standingOf } from '../../people/person.ts'
import { afterAnswers, feedBack, openedFeed, withDropped } from '../event-feed.ts'
import type { ClaimedEvent, EventFeed, Events } from '../events.ts'
import { writeBound } from './bound.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { feedIn, putQueue, queueOf } from './event-rows.ts'
import { personsIn } from './persons.ts'

/** A replay goes on in the next transaction, since visitors wait for its end. */
const REPLAYED_AT_ONCE = 500

/** The first event of a queue, in SQL. */
const first = (field: string) => `data ->> '$.events[0].${field}'`

/** How often it failed, in SQL: 0 for a row that is not ours, which is then met and dropped. */
const TRIES = "iif(json_valid(data), coalesce(data ->> 'tries', 0), 0)"

/**
 * What is due: untried ones first, by turns the earliest, among them erasures, and the latest. So
 * nobody waits behind many whose events fail.
 */
function dueQueues(sql: Sql, at: number, limit: number) {
  const some = (which: string, order: 'ASC' | 'DESC', most: number) =>
    sql(`
      SELECT person, data FROM eventQueues WHERE dueAt <= ? AND ${which}
      ORDER BY dueAt ${order} LIMIT ?`).all(at, most)
  const rows = [
    ...some(`${TRIES} = 0`, 'ASC', Math.ceil(limit / 2)),
    ...some(`${TRIES} = 0`, 'DESC', limit),
    ...some(`${TRIES} <> 0`, 'ASC', limit),
  ]
  return [...new Map(rows.map((row) => [String(row.person), row.data])).entries()].slice(0, limit)
}

export function sqliteEvents(database: SqliteDatabase, addressIds: AddressIds): Events {
  function keep(sql: Sql, feed: EventFeed) {
    sql('DELETE FROM eventFeed').run()
    sql('INSERT INTO eventFeed (data) VALUES (?)').run(JSON.stringify(feed))
  }

  return {
    async open(types, place, now) {
      await writeBound(database, addressIds, (sql) =>
        keep(sql, openedFeed(feedIn(sql), types, place, now.getTime())),
      )
    },

    async close() {
      if (!(await database.read(feedIn))?.isOn) return
      await database.write((sql) => {
        const feed = feedIn(sql)
        if (feed) keep(sql, { ...feed, isOn: false })
      })
    },

    feed: () => database.read(feedIn),

    async claim(limit, leaseMs, now) {
      const at = now.getTime()
      // Most looks find nothing, and need no write.
      const isAnyDue = (sql: Sql) =>
        sql('SELECT 1 FROM eventQueues WHERE dueAt <= ? LIMIT 1').get(at) !== undefined
      if (!(await database.read(isAnyDue))) return []
      return database.write((sql) => {
        const due = dueQueues(sql, at, limit).map(([person, data]) => {
          // A row that is no queue is not ours, and would be met first each time.
          const { dropped = 0, ...queue } = queueIn(data) ?? { events: [], tries: 0, dropped: 1 }
          return { person, queue, dropped }
        })
        const dropped = due.reduce((sum, one) => sum + one.dropped, 0)
        const feed = dropped > 0 ? feedIn(sql) : undefined
        if (feed) keep(sql, withDropped(feed, dropped))
        return due.flatMap(({ person, queue }): ClaimedEvent[] => {
          const [event] = queue.events
          if (!event) putQueue(sql, person, undefined)
          if (!event || !isDue(queue, at)) return []
          const taken = claimed(queue, leaseMs, at)
          putQueue(sql, person, taken)
          if (taken.lease === undefined) return []
          const { email } = event.type === 'forgotten' ? {} : taken
          const isAnswer = event.type === 'answered' && email !== undefined
          const answer = isAnswer
            ? answerIn(personsIn(sql, addressIds).of(addressIds.of(email)).fields)
            : undefined
          const common = {
            ...{ person, lease: taken.lease },
            ...(email !== undefined && { email }),
            ...(answer !== undefined && { answer }),
          }
          return [{ id: event.id, type: event.type, at: new Date(event.at), ...common }]
        })
      })
    },

    async settle(ended, now) {
      const at = now.getTime()
      await database.write((sql) => {
        for (const { event, answer } of ended) {
          const queue = queueOf(sql, event.person)
          if (queue) putQueue(sql, event.person, settled(queue, event, answer, at))
        }
        const feed = feedIn(sql)
        if (!feed) return
        const { feed: after, isHeld } = afterAnswers(feed, ended, at)
        keep(sql, after)
        if (isHeld)
          sql(`
            UPDATE eventQueues SET dueAt = NULL, heldAt = :at,
              data = json_set(json_remove(data, '$.dueAt'), '$.heldAt', :at)
            WHERE dueAt IS NOT NULL AND data ->> 'lease' IS NULL
              AND ${first('type')} <> 'forgotten' AND ${first('at')} <= :before`).run({
            at,
            before: at - HELD_AFTER_MS,
          })
      })
    },

    counts: () =>
      database.read((sql) => {
        const row = sql(`
          SELECT count(*) AS people, count(heldAt) AS held, min(${first('at')}) AS oldest,
            count(*) FILTER (WHERE ${first('type')} = 'forgotten') AS forgotten
          FROM eventQueues`).get()
        const oldest = row?.oldest
        return {
          people: Number(row?.people),
          held: Number(row?.held),
          forgotten: Number(row?.forgotten),
          ...(oldest != null && { oldest: Number(oldest) }),
        }
      }),

    waiting: (limit) =>
      database.read((sql) =>
        sql('SELECT person, data FROM eventQueues ORDER BY person LIMIT ?')
          .all(limit)
          .flatMap(({ person, data }) => {
            const queue = queueIn(data)
            return queue ? [{ person: String(person), queue }] : []
          }),
      ),

    async replay(now) {
      const at = now.getTime()
      let [after, people] = ['', 0]
      for (;;) {
        const done = await database.write((sql) => {
          const feed = feedIn(sql)
          if (feed) keep(sql, feedBack(feed))
          const rows = sql(`
            SELECT person, data FROM eventQueues WHERE person > ? ORDER BY person
            LIMIT ${REPLAYED_AT_ONCE}`).all(after)
          for (const { person, data } of rows) {
            const queue = queueIn(data)
            if (queue) putQueue(sql, String(person), replayed(queue, at))
          }
          return rows
        })
        people += done.length
        if (done.length < REPLAYED_AT_ONCE) return people
        after = String(done.at(-1)?.person)
      }
    },

    async restore(waiting, now) {
      await writeBound(database, addressIds, (sql) => {
        for (const { person, queue } of waiting) {
          if (queueOf(sql, person)) continue
          const { email } = queue
          const isGone =
            email !== undefined &&
            standingOf(personsIn(sql, addressIds).of(addressIds.of(email))) === 'forgotten'
          if (!isGone) putQueue(sql, person, replayed(queue, now.getTime()))
        }
      })
    },
  }
}
