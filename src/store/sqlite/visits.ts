import { type Source, sourceFrom } from '../../shared/source.ts'
import {
  type CountedHour,
  HOUR_MS,
  type HourOfVisits,
  MOST_DAYS,
  type NameCount,
  nameCounter,
  namesIn,
  namesOf,
  namesText,
  startOfDay,
  type VisitCounts,
} from '../visits.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'

const hourOf = (time: Date) => Math.floor(time.getTime() / HOUR_MS)
/** The first hour that begins at a time or later. */
const hourFrom = (time: Date) => Math.ceil(time.getTime() / HOUR_MS)

/** Counts of visits. Every call throws `StoreUnavailable` where the file cannot be used. */
export function sqliteVisits(database: SqliteDatabase) {
  return {
    /**
     * Adds counts, all or none. They may be lost by a power failure a moment later. It never waits
     * for a lock: the caller keeps the counts and tries again.
     */
    add: (hours: readonly CountedHour[]) =>
      database.writeUnsynced((sql) => {
        for (const { hour, counts, names } of hours) {
          addCounts(sql, hour, counts)
          if (names.length > 0) addNames(sql, startOfDay(hour), names)
        }
        const latest = Math.max(...hours.map(({ hour }) => Number(hour)))
        const first = startOfDay(new Date(latest), MOST_DAYS - 1)
        sql('DELETE FROM visitNames WHERE day < ?').run(Number(first))
      }),

    /** The hours that begin then or later and had visits, in order. */
    since: (since: Date) =>
      database.read((sql) =>
        sql('SELECT * FROM visits WHERE hour >= ? ORDER BY hour')
          .all(hourFrom(since))
          .map(
            ({ hour, ...counts }): HourOfVisits => ({
              hour: new Date(Number(hour) * HOUR_MS),
              counts: counts as unknown as VisitCounts,
            }),
          ),
      ),

    /**
     * The names of the first visits of the days that began then or later, the commonest first; with `today`
     * the same of those since then too, by one look.
     */
    names: (since: Date, today = since) => database.read((sql) => visitNamesIn(sql, since, today)),

    /** The same of subscribers who signed up since then and are not forgotten. */
    signUpNames: (since: Date, today = since) =>
      database.read((sql) => signUpNamesIn(sql, since, today)),
  }
}

function visitNamesIn(sql: Sql, since: Date, today: Date) {
  const [all, ofToday] = [nameCounter(), nameCounter()]
  const rows = sql('SELECT day, names FROM visitNames WHERE day >= ?')
  for (const { day, names } of rows.iterate(Number(since)))
    for (const one of namesIn(names)) {
      all.add(one)
      if (Number(day) >= Number(today)) ofToday.add(one)
    }
  return { all: all.counts(), today: ofToday.counts() }
}

function signUpNamesIn(sql: Sql, since: Date, today: Date) {
  const [all, ofToday] = [nameCounter(), nameCounter()]
  // In the order of the places, so that a million take less than a second.
  const rows = sql(`
    SELECT tag, count(*) AS number, count(*) FILTER (WHERE at >= ?) AS today FROM places
    WHERE tag >= 'from:' AND tag < 'from;' AND at >= ? GROUP BY tag`)
  for (const one of rows.iterate(today.toISOString(), since.toISOString()))
    for (const [kind, name] of namesOf(sourceIn(String(one.tag)))) {
      all.add({ kind, name, number: Number(one.number) })
      if (Number(one.today) > 0) ofToday.add({ kind, name, number: Number(one.today) })
    }
  return { all: all.counts(), today: ofToday.counts() }
}

/** What a tag says of a source. */
function sourceIn(tag: string): Source {
  const [source, medium, campaign] = JSON.parse(tag.slice('from:'.length)) as unknown[]
  return sourceFrom({ source, medium, campaign }) ?? {}
}

function addCounts(sql: Sql, hour: Date, counts: VisitCounts): void {
  sql(`
    INSERT INTO visits (hour, first, return, robot, prefetch)
    VALUES (:hour, :first, :return, :robot, :prefetch)
    ON CONFLICT DO UPDATE SET first = first + :first, return = return + :return,
      robot = robot + :robot, prefetch = prefetch + :prefetch`).run({
    hour: hourOf(hour),
    ...counts,
  })
}

function addNames(sql: Sql, day: Date, names: readonly NameCount[]): void {
  const before = sql('SELECT names FROM visitNames WHERE day = ?').get(Number(day))
  sql('REPLACE INTO visitNames (day, names) VALUES (?, ?)').run(
    Number(day),
    namesText([...namesIn(before?.names), ...names]),
  )
}
