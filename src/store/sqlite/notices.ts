import { setImmediate as immediate } from 'node:timers/promises'
import type { AddressIds } from '../../keys/address-id.ts'
import {
  type AlarmState,
  type DecideAlarm,
  MOST_WAITING,
  NOTICE_DAYS,
  type Notice,
  type Notices,
  type NoticeType,
  noticeId,
  type PlaceState,
  REACHED,
} from '../notices.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import type { GrowthWatch } from './milestones.ts'
import { isAnybodyTold, noteOnce } from './notice-rows.ts'
import { entryOf } from './standing-rows.ts'

const DAY_MS = 86_400_000
/** How many more rows are read than wanted, since some subscribers may not be mailed. */
const LOOKED_AT = 4
/** A slice of this many rows takes some ten milliseconds. */
const SLICE = 10_000

export function sqliteNotices(
  database: SqliteDatabase,
  watch: GrowthWatch,
  addressIds: AddressIds,
  appId: string,
): Notices {
  const time = `data ->> 'subscribedAt'`

  function waitingAfter(sql: Sql, number: number): Notice[] {
    const rows = sql(`
      SELECT * FROM notices WHERE number > ? ORDER BY number LIMIT ${MOST_WAITING}`).all(number)
    return rows.map((row) => ({
      id: noticeId(appId, String(row.key)),
      number: Number(row.number),
      type: row.type as NoticeType,
      at: new Date(String(row.at)),
      data: JSON.parse(String(row.data)),
    }))
  }

  /**
   * Counts the quarantined slice by slice, so that no request waits for the end. There is no index:
   * with one, a new suspect would take one page more to write than a known one, and the time of an
   * answer must not tell them apart.
   */
  async function quarantined(from: Date, to?: Date) {
    const range = { from: from.toISOString(), to: to?.toISOString() ?? '~' }
    const found = { all: 0, inRange: 0 }
    for (let last = ''; ; await immediate()) {
      const slice = await database.read((sql) =>
        sql(`
          SELECT count(*) AS looked, max(addressId) AS last, total(isOne) AS isAny,
            total(isOne AND at >= :from AND at < :to) AS inRange
          FROM (
            SELECT addressId, iif(isImported, '', at) AS at, standing = 'quarantined' AS isOne
            FROM standings
            WHERE addressId > :last ORDER BY addressId LIMIT ${SLICE}
          )`).get({ ...range, last }),
      )
      found.all += Number(slice?.isAny)
      found.inRange += Number(slice?.inRange)
      if (Number(slice?.looked) < SLICE) return found
      last = String(slice?.last)
    }
  }

  function change(sql: Sql, kind: string, decide: DecideAlarm) {
    const row = sql('SELECT data FROM alarms WHERE kind = ?').get(kind)
    const known: AlarmState | undefined = row && JSON.parse(String(row.data))
    return decide(known)
  }

  return {
    async open(places, now) {
      const { seen, since } = await database.write((sql) => {
        // The first place of all is not told of milestones from before.
        const seen = watch.begin(sql, now)
        const last = sql('SELECT coalesce(max(number), 0) AS last FROM notices').get()?.last
        const place: PlaceState = { since: now.getTime(), toldTo: Number(last) }
        const open = sql('INSERT OR IGNORE INTO noticePlaces (name, data) VALUES (?, ?)')
        for (const name of places) open.run(name, JSON.stringify(place))
        const states = places.flatMap((name) => placeOf(sql, name) ?? [])
        return { seen, since: Math.min(...states.map(({ since }) => since)) }
      })
      watch.kept(seen)
      return new Date(since)
    },

    async noteMilestones(now) {
      // Mostly the list has not grown, and nothing is written.
      if (!(await database.read(watch.hasGrown))) return
      watch.kept(await database.write((sql) => watch.look(sql, now)))
    },

    async noteEvent(event) {
      const isNew = (sql: Sql) =>
        isAnybodyTold(sql) && !sql('SELECT 1 FROM notices WHERE key = ?').get(event.key)
      if (!(await database.read(isNew))) return
      await database.write((sql) => {
        noteOnce(sql, event)
        const before = new Date(event.at.getTime() - NOTICE_DAYS * DAY_MS).toISOString()
        sql(`DELETE FROM notices WHERE at < ? AND key NOT LIKE '${REACHED}%'`).run(before)
      })
    },

    async changeAlarm(kind, decide) {
      const looked = await database.read((sql) =>
        isAnybodyTold(sql) ? change(sql, kind, decide) : {},
      )
      if (!looked.alarm) return
      await database.write((sql) => {
        const { alarm, event } = change(sql, kind, decide)
        if (event) noteOnce(sql, event)
        if (alarm)
          sql('INSERT OR REPLACE INTO alarms (kind, data) VALUES (?, ?)').run(
            ...[kind, JSON.stringify(alarm)],
          )
      })
    },

    async changePlace(name, decide) {
      const decided = (sql: Sql) => {
        const place = placeOf(sql, name)
        return place && decide(place, waitingAfter(sql, place.toldTo))
      }
      // Most looks find nothing to send, and need no write.
      const looked = await database.read(decided)
      if (!looked?.place) return looked?.result
      return database.write((sql) => {
        const change = decided(sql)
        if (change?.place)
          sql('UPDATE noticePlaces SET data = ? WHERE name = ?').run(
            ...[JSON.stringify(change.place), name],
          )
        return change?.result
      })
    },

    async growthBetween(from, to) {
      const robots = await quarantined(from, to)
      return database.read((sql) => {
        const count = (text: string, ...parameters: string[]) =>
          Number(sql(`SELECT count(*) AS n FROM documents ${text}`).get(...parameters)?.n)
        const range = [from.toISOString(), to.toISOString()]
        const inRange = `${time} >= ? AND ${time} < ?`
        // The imported apart, by an index of their own: there may be a million.
        const signUps =
          count(`WHERE ${inRange}`, ...range) -
          count(`WHERE ${inRange} AND signedUpAt IS NOT NULL`, ...range) +
          count('WHERE signedUpAt >= ? AND signedUpAt < ?', ...range)
        return {
          signUps: Math.max(0, signUps - robots.inRange),
          subscribers: Math.max(0, count('') - robots.all),
          quarantined: robots.all,
        }
      })
    },

    signedUp: (from, to, most) =>
      database.read((sql) =>
        sql(`
          SELECT email FROM (
            SELECT * FROM (
              SELECT data ->> 'email' AS email, ${time} AS at, id FROM documents
              WHERE signedUpAt IS NULL AND ${time} >= :from AND ${time} < :to
              ORDER BY ${time}, id LIMIT ${LOOKED_AT * most})
            UNION ALL SELECT * FROM (
              SELECT data ->> 'email', signedUpAt, id FROM documents
              WHERE signedUpAt >= :from AND signedUpAt < :to
              ORDER BY signedUpAt LIMIT ${LOOKED_AT * most}))
          ORDER BY at, id LIMIT ${LOOKED_AT * most}`)
          .all({ from: from.toISOString(), to: to.toISOString() })
          .map(({ email }) => String(email))
          .filter((email) => {
            const { standing = 'subscribed' } = entryOf(sql, addressIds.of(email)) ?? {}
            return standing === 'subscribed'
          })
          .slice(0, most),
      ),

    quarantinedSince: async (since) => (await quarantined(since)).inRange,
  }
}

function placeOf(sql: Sql, name: string): PlaceState | undefined {
  const row = sql('SELECT data FROM noticePlaces WHERE name = ?').get(name)
  return row && JSON.parse(String(row.data))
}
