import { standingTags } from '../../people/index-tags.ts'
import { standings } from '../../people/standing.ts'
import { type Answer, begunAgain, isDue, type Try } from '../../queue/waiting-line.ts'
import { objectIn } from '../../shared/stored-json.ts'
import { alarmIn, type DecideAlarm } from '../alarm.ts'
import {
  type AlarmKind,
  type AlarmState,
  milestone,
  milestonesIn,
  type NewNotice,
  noticeId,
  type PlaceState,
  placeLines,
  withNotice,
} from '../notices.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { countedStandings, listedIn } from './growth.ts'
import { noteIn, numberIn, putNote } from './notes.ts'
import { linesIn } from './waiting-lines.ts'

/** A week of days, as far as a clock may have been set back. */
const MOST_NOTED = 8

/**
 * The notices for the operator, and what each place has yet to be told. A notice is written in the
 * transaction of its event, for each place, to which it is sent in order. Before a place is opened,
 * nothing is written. Each method throws StoreUnavailable.
 */
export function sqliteNotices(database: SqliteDatabase, appId: string) {
  return {
    /**
     * Opens these places. A new place is told of events from now on.
     *
     * @param names as the store keeps them. @returns when the first of them was opened.
     */
    open: (names: readonly string[], now: Date) =>
      database.write((sql) => {
        // The first place of all is not told of milestones from before.
        tellOfMilestones(sql, appId, now)
        const places = placesIn(sql)
        const since = names.map((name) => {
          const place = places.of(name) ?? newPlace(now.getTime())
          places.put(name, place)
          return place.since
        })
        return new Date(Math.min(now.getTime(), ...since))
      }),

    /** Notes the milestones that the list has reached, by its counters. */
    async noteMilestones(now: Date) {
      if (await database.read((sql) => newMilestones(sql).length > 0 && isAnybodyTold(sql)))
        await database.write((sql) => tellOfMilestones(sql, appId, now))
    },

    /** Notes an event, unless it is one of the last of its type that were noted: a clock may be set back. */
    async noteEvent(event: NewNotice) {
      const name = `noted:${event.type}`
      const notedIn = (sql: Sql) => Object.values(objectIn(noteIn(sql, name)) ?? {})
      const isNew = (sql: Sql) => isAnybodyTold(sql) && !notedIn(sql).includes(event.key)
      // Mostly it is not, and nothing is written.
      if (!(await database.read(isNew))) return
      await database.write((sql) => {
        if (!isNew(sql)) return
        tell(sql, appId, event)
        putNote(sql, name, [...notedIn(sql), event.key].slice(-MOST_NOTED))
      })
    },

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
        if (event) tell(sql, appId, event)
        if (alarm) putNote(sql, alarmNote(kind), alarm)
      })
    },

    ...toPlaces(database),
    ...figuresOf(database),
  }
}

const newPlace = (now: number): PlaceState => ({ since: now, items: [], tries: 0, dueAt: now })

/** What is sent to a place. */
function toPlaces(database: SqliteDatabase) {
  return {
    /** What a place has yet to be told; nothing of one that was never opened. */
    place: (name: string) => database.read((sql) => placesIn(sql).of(name)),

    /** Takes the next message to a place, if it is due, so that no other process sends it. */
    async claim(name: string, leaseMs: number, now: Date) {
      // Most looks find nothing to send, and need no write.
      const found = await database.read((sql) => placesIn(sql).of(name))
      if (!found || !isDue(found, now.getTime())) return undefined
      const { taken } = await database.write((sql) =>
        placesIn(sql).claim(name, leaseMs, now.getTime()),
      )
      const [message] = taken?.items ?? []
      return taken && message && { ...message, lease: taken.lease }
    },

    /** Notes how sending ended. */
    settle: (name: string, sent: Try, answer: Answer, now: Date) =>
      database.write((sql) => placesIn(sql).settle(name, sent, answer, now.getTime())),

    /** Makes due what waits for a place, as if nothing had failed there. */
    replay: (name: string, now: Date) =>
      database.write((sql) => {
        const places = placesIn(sql)
        const place = places.of(name)
        places.put(name, place && begunAgain(place, now.getTime()))
      }),
  }
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

const placesIn = (sql: Sql) => linesIn(sql, placeLines)

/** Whether any place was ever opened; otherwise there are no notices. */
const isAnybodyTold = (sql: Sql): boolean =>
  sql('SELECT 1 FROM queue WHERE kind = ? LIMIT 1').get(placeLines.name) !== undefined

/** Tells every place. */
function tell(sql: Sql, appId: string, { key, ...event }: NewNotice): void {
  const places = placesIn(sql)
  const notice = { id: noticeId(appId, key), ...event }
  for (const { id, line } of places.all()) if (line) places.put(id, withNotice(line, notice))
}

/** The highest milestone that was reached. */
export const REACHED = 'reached'

const newMilestones = (sql: Sql) =>
  milestonesIn(listedIn(sql)).filter((number) => number > numberIn(sql, REACHED))

function tellOfMilestones(sql: Sql, appId: string, now: Date): void {
  const reached = newMilestones(sql)
  for (const number of reached) tell(sql, appId, milestone(number, listedIn(sql), now))
  if (reached.length > 0) putNote(sql, REACHED, reached.at(-1))
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
