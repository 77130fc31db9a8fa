import { type Source, sourceFrom } from '../../shared/source.ts'
import { isCount } from '../../shared/stored-json.ts'
import {
  type CountedHour,
  DAYS_BY_HOUR,
  HOUR_MS,
  type HourOfVisits,
  MOST_DAYS,
  MOST_NAMES,
  type NameCount,
  nameCounter,
  nameKinds,
  namesOf,
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
        addHours(sql, hours)
        const latest = Math.max(...hours.map(({ hour }) => hourOf(hour)))
        // One more than may be new, so that rare calls suffice.
        for (let i = 0; i <= hours.length; i += 1) foldOldest(sql, latest)
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
     * The names of the first visits since then, the commonest first. Before `DAYS_BY_HOUR`, whole
     * days are counted, and before `MOST_DAYS` nothing.
     */
    names: (since: Date) => database.read((sql) => namesSince(sql, hourFrom(since))),

    /** The names of subscribers who signed up since then and are not forgotten, the commonest first. */
    signUpNames: (since: Date) =>
      database.read((sql) => {
        const counter = nameCounter()
        // In the order of the places, so that a million take less than a second.
        const rows = sql(`
          SELECT tag, count(*) AS number FROM places
          WHERE tag >= 'from:' AND tag < 'from;' AND at >= ? GROUP BY tag`)
        for (const { tag, number } of rows.iterate(since.toISOString()))
          for (const [kind, name] of namesOf(sourceIn(String(tag))))
            counter.add({ kind, name, number: Number(number) })
        return counter.counts()
      }),
  }
}

function namesSince(sql: Sql, hour: number): NameCount[] {
  const sums = new Map<string, number>()
  const rows = sql('SELECT numbers FROM visitsByName WHERE hour >= ?')
  for (const { numbers } of rows.iterate(hour))
    for (const [key, number] of numbersIn(numbers)) sums.set(key, (sums.get(key) ?? 0) + number)
  const names = new Map(
    sql('SELECT id, name FROM visitNames')
      .all()
      .map(({ id, name }) => [id, String(name)]),
  )
  const counter = nameCounter()
  for (const [key, number] of sums) {
    const kind = kindIn(key)
    if (kind) counter.add({ kind, name: names.get(idIn(key)) ?? null, number })
  }
  return counter.counts()
}

/** What a tag says of a source. */
function sourceIn(tag: string): Source {
  const [source, medium, campaign] = JSON.parse(tag.slice('from:'.length)) as unknown[]
  return sourceFrom({ source, medium, campaign }) ?? {}
}

/** A count by name as it is stored, with the first letter of the kind and the name's id: `s12`. */
type Numbered = readonly [key: string, number: number]

export const kindIn = (key: string) => nameKinds.find((kind) => kind[0] === key[0])
export const idIn = (key: string) => Number(key.slice(1))
/** What a row has, which anybody may have written: one list, which is read faster than an object. */
export function numbersIn(json: unknown): Numbered[] {
  const list = listIn(json)
  const found: Numbered[] = []
  for (let i = 0; i < list.length; i += 2) {
    const [key, number] = [list[i], list[i + 1]]
    if (typeof key === 'string' && isCount(number)) found.push([key, number])
  }
  return found
}

function listIn(json: unknown): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(String(json))
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

export function addHours(sql: Sql, hours: readonly CountedHour[]) {
  // In a full table, a new name starts with the weight of the rarest, so that names that were
  // common once do not keep their places. The algorithm is called Space-Saving.
  const floor = Number(
    sql(`SELECT iif(count(*) < ${MOST_NAMES}, 0, min(weight)) AS n FROM visitNames`).get()?.n,
  )
  const visits = sql(`
    INSERT INTO visits (hour, first, return, robot, prefetch)
    VALUES (:hour, :first, :return, :robot, :prefetch)
    ON CONFLICT DO UPDATE SET first = first + :first, return = return + :return,
      robot = robot + :robot, prefetch = prefetch + :prefetch`)
  const known = sql(`
    INSERT INTO visitNames (kind, name, weight) VALUES (:kind, :name, :floor + :number)
    ON CONFLICT DO UPDATE SET weight = weight + :number RETURNING id`)
  const named = hours.map(({ hour, counts, names }) => {
    visits.run({ hour: hourOf(hour), ...counts })
    return names.map(({ kind, name, number }): Numbered => {
      const id = name === null ? NONE : known.get({ kind, name, floor, number })?.id
      return [`${kind[0]}${id}`, number]
    })
  })
  sql(`
    DELETE FROM visitNames WHERE id IN (
      SELECT id FROM visitNames ORDER BY weight DESC, id DESC LIMIT -1 OFFSET ${MOST_NAMES}
    )`).run()
  for (const [i, { hour }] of hours.entries()) addTo(sql, hourOf(hour), named[i] ?? [])
}

/** The id of no name. */
const NONE = 0

/** Adds counts to those of an hour. Those of names that had to go are added to each other. */
function addTo(sql: Sql, hour: number, more: readonly Numbered[]) {
  if (more.length === 0) return
  const names = new Set(
    sql('SELECT id FROM visitNames')
      .all()
      .map(({ id }) => id),
  )
  const before = sql('SELECT numbers FROM visitsByName WHERE hour = ?').get(hour)
  const sums = new Map<string, number>()
  for (const [key, number] of [...numbersIn(before?.numbers), ...more]) {
    const kept = names.has(idIn(key)) ? key : `${key[0]}${NONE}`
    sums.set(kept, (sums.get(kept) ?? 0) + number)
  }
  sql('INSERT OR REPLACE INTO visitsByName (hour, numbers) VALUES (?, ?)').run(
    hour,
    JSON.stringify([...sums].flat()),
  )
}

/**
 * Drops the hours that are older than `MOST_DAYS`, and adds the oldest that is older than
 * `DAYS_BY_HOUR` to its day: otherwise a thousand names an hour would make nine million numbers a
 * year. One hour at a time, since the server answers no request meanwhile.
 */
function foldOldest(sql: Sql, latest: number) {
  const startOf = (days: number) => latest - (latest % 24) - (days - 1) * 24
  sql('DELETE FROM visitsByName WHERE hour < ?').run(startOf(MOST_DAYS))
  const oldest = sql('SELECT * FROM visitsByName WHERE hour < ? AND hour % 24 > 0 LIMIT 1').get(
    startOf(DAYS_BY_HOUR),
  )
  if (!oldest) return
  const hour = Number(oldest.hour)
  addTo(sql, hour - (hour % 24), numbersIn(oldest.numbers))
  sql('DELETE FROM visitsByName WHERE hour = ?').run(hour)
}
