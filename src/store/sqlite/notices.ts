import { standingTags } from '../../people/places.ts'
import { standings } from '../../people/standing.ts'
import { isCount, objectIn } from '../../shared/stored-json.ts'
import { storedTime } from '../../shared/stored-time.ts'
import { alarmIn } from '../alarm.ts'
import {
  type AlarmKind,
  type AlarmState,
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
import { countedStandings, listedIn } from './growth.ts'
import { grownTo, noteMilestones } from './milestones.ts'
import { inRecord } from './own-collection.ts'
import { isAnybodyTold, lineOf, noteOnce, putLine } from './queue-rows.ts'

const DAY_MS = 86_400_000

export function sqliteNotices(database: SqliteDatabase, appId: string): Notices {
  return {
    async open(places, now) {
      return new Date(await database.write((sql) => open(sql, places, now)))
    },

    async noteMilestones(now) {
      // Mostly the list has not grown, and nothing is written.
      const isAny = (sql: Sql) => isAnybodyTold(sql) && grownTo(sql) !== undefined
      if (await database.read(isAny)) await database.write((sql) => noteMilestones(sql, now))
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
      const decided = (sql: Sql) => decide(alarmOf(sql, kind))
      const looked = await database.read((sql) => (isAnybodyTold(sql) ? decided(sql) : {}))
      if (!looked.alarm) return
      await database.write((sql) => {
        const { alarm, event } = decided(sql)
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
        return place && decide(place, waitingAfter(sql, appId, place.toldTo))
      }
      // Most looks find nothing to send, and need no write.
      const looked = await database.read(decided)
      if (!looked?.place) return looked?.result
      return database.write((sql) => {
        const change = decided(sql)
        if (change?.place) putLine(sql, 'notices', name, change.place)
        return change?.result
      })
    },

    ...figuresOf(database),
  }
}

/** What a notice says of the list. */
function figuresOf(
  database: SqliteDatabase,
): Pick<Notices, 'growthBetween' | 'signedUp' | 'quarantinedSince'> {
  return {
    growthBetween: (from, to) =>
      database.read((sql) => ({
        signUps: standings
          .filter((standing) => standing !== 'quarantined')
          .reduce(
            (sum, standing) => sum + numberUnder(sql, standingTags(standing)[0], from, to),
            0,
          ),
        subscribers: listedIn(sql),
        quarantined: countedStandings(sql).quarantined,
      })),

    signedUp: (from, to, most) =>
      database.read((sql) =>
        sql(`
          SELECT ${inRecord('email')} AS email
          FROM places JOIN persons USING (n) JOIN documents ON documents.id = number
          WHERE tag = ? AND places.at >= ? AND places.at < ? ORDER BY places.at, n LIMIT ?`)
          .all(standingTags('subscribed')[0], from.toISOString(), to.toISOString(), most)
          .map(({ email }) => String(email)),
      ),

    quarantinedSince: (since) =>
      database.read((sql) => numberUnder(sql, standingTags('quarantined')[0], since)),
  }
}

/** @returns when the first of these places was opened, in milliseconds since 1970. */
function open(sql: Sql, places: readonly string[], now: Date): number {
  // The first place of all is not told of milestones from before.
  noteMilestones(sql, now)
  const last = sql('SELECT coalesce(max(number), 0) AS last FROM notices').get()?.last
  const at = now.getTime()
  const place: PlaceState = { since: at, toldTo: Number(last), tries: 0, dueAt: at }
  for (const name of places) if (!placeOf(sql, name)) putLine(sql, 'notices', name, place)
  return Math.min(...places.map((name) => placeOf(sql, name)?.since ?? at))
}

function waitingAfter(sql: Sql, appId: string, number: number): Notice[] {
  const rows = sql(`
    SELECT * FROM notices WHERE number > ? ORDER BY number LIMIT ${MOST_WAITING}`).all(number)
  return rows.map((row) => ({
    id: noticeId(appId, String(row.key)),
    number: Number(row.number),
    type: row.type as NoticeType,
    at: storedTime(row.at) ?? new Date(0),
    data: objectIn(row.data) ?? {},
  }))
}

/** Those under a tag in a time. */
function numberUnder(sql: Sql, tag: string, from: Date, to?: Date): number {
  const row = sql('SELECT count(*) AS n FROM places WHERE tag = ? AND at >= ? AND at < ?')
  return Number(row.get(tag, from.toISOString(), to?.toISOString() ?? '~')?.n)
}

function alarmOf(sql: Sql, kind: AlarmKind): AlarmState | undefined {
  return alarmIn(sql('SELECT data FROM alarms WHERE kind = ?').get(kind)?.data)
}

/** How far a place was told; nothing of what cannot be read, which is opened anew. */
function placeOf(sql: Sql, name: string): PlaceState | undefined {
  const state = objectIn(lineOf(sql, 'notices', name))
  const isWhole = [state?.since, state?.toldTo, state?.tries].every(isCount)
  return isWhole ? (state as unknown as PlaceState) : undefined
}
