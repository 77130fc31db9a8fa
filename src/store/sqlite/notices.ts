import { standingTags } from '../../people/places.ts'
import { standings } from '../../people/standing.ts'
import { objectIn } from '../../shared/stored-json.ts'
import { storedTime } from '../../shared/stored-time.ts'
import { alarmIn, type DecideAlarm } from '../alarm.ts'
import {
  type AlarmKind,
  type AlarmState,
  MOST_WAITING,
  milestone,
  milestonesIn,
  type NewNotice,
  NOTICE_DAYS,
  type Notice,
  type NoticeType,
  noticeId,
  type PlaceState,
  placeIn,
  REACHED,
} from '../notices.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { countedStandings, listedIn } from './growth.ts'
import { noteIn, putNote } from './notes.ts'
import { lineOf, putLine } from './queue-rows.ts'

const DAY_MS = 86_400_000

/**
 * The notices for the operator, and how far each place has been told. A notice is written in the
 * transaction of its event, once for its key and for ever; it is sent to each place in order.
 * Before a place is opened, nothing is written. Each method throws StoreUnavailable.
 */
export function sqliteNotices(database: SqliteDatabase, appId: string) {
  /** Notes an event, unless its key was noted before. */
  async function noteEvent(event: NewNotice) {
    const isNew = (sql: Sql) =>
      isAnybodyTold(sql) && !sql('SELECT 1 FROM notices WHERE key = ?').get(event.key)
    // Mostly it is not, and nothing is written.
    if (!(await database.read(isNew))) return
    await database.write((sql) => {
      noteOnce(sql, event)
      const before = new Date(event.at.getTime() - NOTICE_DAYS * DAY_MS).toISOString()
      sql(`DELETE FROM notices WHERE at < ? AND key NOT LIKE '${REACHED}%'`).run(before)
    })
  }

  return {
    /**
     * Opens these places. A new place is told of events from now on.
     *
     * @param places names, as the store keeps them. @returns when the first of them was opened.
     */
    open: (places: readonly string[], now: Date) =>
      database.write((sql) => new Date(open(sql, places, now))),

    /** Notes the milestones that the list has reached, by its counters. */
    async noteMilestones(now: Date) {
      for (const one of await database.read((sql) => milestonesOf(sql, now))) await noteEvent(one)
    },

    noteEvent,

    /**
     * Changes the state of an alarm, and writes its notice in the same transaction.
     *
     * @param decide may be called more than once.
     */
    async changeAlarm(kind: AlarmKind, decide: DecideAlarm) {
      const decided = (sql: Sql) => decide(alarmOf(sql, kind))
      const looked = await database.read((sql) => (isAnybodyTold(sql) ? decided(sql) : {}))
      if (!looked.alarm) return
      await database.write((sql) => {
        const { alarm, event } = decided(sql)
        if (event) noteOnce(sql, event)
        if (alarm) putNote(sql, alarmNote(kind), alarm)
      })
    },

    /**
     * Changes how far a place was told.
     *
     * @param decide gets the waiting notices, in order, at most `MOST_WAITING`. It may be called more
     *   than once. @returns its result; `undefined` for a place that was never opened.
     */
    changePlace: <T>(name: string, decide: DecidePlace<T>) =>
      changePlace(database, appId, name, decide),

    ...figuresOf(database),
  }
}

type DecidePlace<T> = (
  place: PlaceState,
  waiting: readonly Notice[],
) => { readonly place?: PlaceState | undefined; readonly result: T }

async function changePlace<T>(
  database: SqliteDatabase,
  appId: string,
  name: string,
  decide: DecidePlace<T>,
): Promise<T | undefined> {
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
}

/** What a notice says of the list. */
function figuresOf(database: SqliteDatabase) {
  const signedUpAs = standings.filter((standing) => standing !== 'quarantined')
  return {
    /** The growth of the list in that time, and its size, without the quarantined. */
    growthBetween: (from: Date, to: Date) =>
      database.read((sql) => ({
        signUps: signedUpAs
          .map((standing) => numberUnder(sql, standingTags(standing)[0], from, to))
          .reduce((sum, number) => sum + number, 0),
        subscribers: listedIn(sql),
        quarantined: countedStandings(sql).quarantined,
      })),

    /** How many were quarantined since then, without those of an import. */
    quarantinedSince: (since: Date) =>
      database.read((sql) => numberUnder(sql, standingTags('quarantined')[0], since)),
  }
}

function milestonesOf(sql: Sql, now: Date): NewNotice[] {
  const size = listedIn(sql)
  return milestonesIn(size).map((number) => milestone(number, size, now))
}

/** @returns when the first of these places was opened, in milliseconds since 1970. */
function open(sql: Sql, places: readonly string[], now: Date): number {
  // The first place of all is not told of milestones from before.
  for (const one of milestonesOf(sql, now)) noteOnce(sql, one)
  const last = Number(sql("SELECT seq FROM sqlite_sequence WHERE name = 'notices'").get()?.seq ?? 0)
  const at = now.getTime()
  const fresh: PlaceState = { since: at, toldTo: last, tries: 0, dueAt: at }
  const opened = places.map((name) => {
    const known = placeOf(sql, name)
    // One that says that it was told of what is yet to come would be told of nothing.
    if (known && known.toldTo <= last) return known.since
    putLine(sql, 'notices', name, fresh)
    return at
  })
  return Math.min(at, ...opened)
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

const alarmNote = (kind: AlarmKind) => `alarm:${kind}`

function alarmOf(sql: Sql, kind: AlarmKind): AlarmState | undefined {
  return alarmIn(noteIn(sql, alarmNote(kind)))
}

const placeOf = (sql: Sql, name: string) => placeIn(lineOf(sql, 'notices', name))

function noteOnce(sql: Sql, { key, type, at, data }: NewNotice): void {
  sql(`
    INSERT INTO notices (key, type, at, data) VALUES (?, ?, ?, ?)
    ON CONFLICT (key) DO NOTHING`).run(key, type, at.toISOString(), JSON.stringify(data))
}

/** Whether any place was ever opened; otherwise there are no notices. */
function isAnybodyTold(sql: Sql): boolean {
  return sql("SELECT 1 FROM queue WHERE kind = 'notices' LIMIT 1").get() !== undefined
}
