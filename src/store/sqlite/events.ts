import type { AddressIds } from '../../keys/address-id.ts'
import { answerIn } from '../answers.ts'
import { afterAnswers, feedBack, openedFeed } from '../event-feed.ts'
import { claimed, HELD_AFTER_MS, isDue, queueIn, replayed, settled } from '../event-queue.ts'
import type { ClaimedEvent, EventFeed, Events } from '../events.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { feedIn, putQueue, queueOf } from './event-rows.ts'
import { extraOf } from './known.ts'
import { writeBound } from './standing-rows.ts'

/** A replay goes on in the next transaction, since visitors wait for its end. */
const REPLAYED_AT_ONCE = 500

/** The first event of a queue, in SQL. */
const first = (field: string) => `data ->> '$.events[0].${field}'`

export function sqliteEvents(database: SqliteDatabase, addressIds: AddressIds): Events {
  function keep(sql: Sql, feed: EventFeed) {
    sql('DELETE FROM eventFeed').run()
    sql('INSERT INTO eventFeed (data) VALUES (?)').run(JSON.stringify(feed))
  }

  return {
    lookEveryMs: 1000,

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
      const due = (sql: Sql) =>
        sql('SELECT person, data FROM eventQueues WHERE dueAt <= ? ORDER BY dueAt LIMIT ?').all(
          at,
          limit,
        )
      // Most looks find nothing, and need no write.
      if ((await database.read(due)).length === 0) return []
      return database.write((sql) =>
        due(sql).flatMap((row): ClaimedEvent[] => {
          const [person, queue] = [String(row.person), queueIn(row.data)]
          // No row of ours, which would be met first each time.
          if (!queue) putQueue(sql, person, undefined)
          if (!queue || !isDue(queue, at)) return []
          const taken = claimed(queue, leaseMs, at)
          putQueue(sql, person, taken)
          const [event] = taken.events
          if (!event || taken.lease === undefined) return []
          const { email } = event.type === 'forgotten' ? {} : taken
          const isAnswer = event.type === 'answered' && email !== undefined
          const answer = isAnswer ? answerIn(extraOf(sql, addressIds.of(email))) : undefined
          const common = {
            ...{ person, lease: taken.lease },
            ...(email !== undefined && { email }),
            ...(answer !== undefined && { answer }),
          }
          return [{ id: event.id, type: event.type, at: new Date(event.at), ...common }]
        }),
      )
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
        const { feed: after, isBack, isHeld } = afterAnswers(feed, ended, at)
        keep(sql, after)
        if (isBack)
          sql(`
            UPDATE eventQueues SET dueAt = :at, data = json_set(data, '$.dueAt', :at)
            WHERE dueAt > :at AND data ->> 'lease' IS NULL`).run({ at })
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
            sql(`SELECT 1 FROM standings WHERE addressId = ? AND standing = 'forgotten'`).get(
              addressIds.of(email),
            ) !== undefined
          if (!isGone) putQueue(sql, person, replayed(queue, now.getTime()))
        }
      })
    },
  }
}
