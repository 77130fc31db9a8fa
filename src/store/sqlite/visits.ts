import { type Source, sourceFrom } from '../../shared/source.ts'
import type { Restorable } from '../restore-target.ts'
import {
  type CountedHour,
  HOUR_MS,
  type HourOfVisits,
  MOST_NAMES,
  type NameKind,
  nameCounter,
  nameKinds,
  namesOf,
  noVisits,
  type VisitKind,
  type Visits,
  visitKinds,
} from '../visits.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'
import { addToName, type Folded, foldPiece } from './fold-visits.ts'

/** The ids that stand for the dropped names of each kind. */
const others: Readonly<Record<NameKind, number>> = {
  source: -1,
  host: -2,
  medium: -3,
  campaign: -4,
}

/** The kind that such an id stands for, in SQL. */
export const otherKind = `CASE nameId ${nameKinds
  .map((kind) => `WHEN ${others[kind]} THEN '${kind}'`)
  .join(' ')} END`

const hourOf = (time: Date) => Math.floor(time.getTime() / HOUR_MS)

type SqliteVisits = Visits & Restorable<'visits'>

export function sqliteVisits(database: SqliteDatabase): SqliteVisits {
  let folded: Folded | undefined

  return {
    async add(hours) {
      const hour = Math.max(...hours.map((one) => hourOf(one.hour)))
      const more = hours.reduce((sum, { names }) => sum + names.length, 0)
      // Kept only when it is committed.
      folded = await database.writeUnsynced((sql) => {
        const soFar = foldPiece(sql, folded, Object.values(others), { hour, more })
        for (const one of hours) add(sql, one)
        dropRarest(sql)
        return soFar
      })
    },

    async since(since) {
      const rows = await database.read((sql) =>
        sql('SELECT hour, kind, number FROM visits WHERE hour >= ? ORDER BY hour').all(
          Math.ceil(since.getTime() / HOUR_MS),
        ),
      )
      const hours = new Map<number, Record<VisitKind, number>>()
      for (const { hour, kind, number } of rows) {
        const counts = hours.get(Number(hour)) ?? noVisits()
        counts[kind as VisitKind] = Number(number)
        hours.set(Number(hour), counts)
      }
      return [...hours].map(
        ([hour, counts]): HourOfVisits => ({ hour: new Date(hour * HOUR_MS), counts }),
      )
    },

    names: (since) =>
      database.read((sql) =>
        sql(`
          SELECT coalesce(kind, ${otherKind}) AS kind, name, sum(number) AS number
          FROM visitsByName LEFT JOIN visitNames ON id = nameId
          WHERE hour >= ? GROUP BY nameId ORDER BY number DESC, name`)
          .all(Math.ceil(since.getTime() / HOUR_MS))
          .map(({ kind, name, number }) => ({
            kind: kind as NameKind,
            name: name === null ? null : String(name),
            number: Number(number),
          })),
      ),

    signUpNames: (since) =>
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

    restore: (hours) =>
      database.write((sql) => {
        for (const one of hours)
          if (!sql('SELECT 1 FROM visits WHERE hour = ?').get(hourOf(one.hour))) add(sql, one)
        dropRarest(sql)
      }),
  }
}

/** What a tag says of a source. */
function sourceIn(tag: string): Source {
  const [source, medium, campaign] = JSON.parse(tag.slice('from:'.length)) as unknown[]
  return sourceFrom({ source, medium, campaign }) ?? {}
}

function add(sql: Sql, { hour: time, counts, names }: CountedHour) {
  const hour = hourOf(time)
  const visit = sql(`
    INSERT INTO visits (hour, kind, number) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET number = number + excluded.number`)
  for (const kind of visitKinds) if (counts[kind] > 0) visit.run(hour, kind, counts[kind])
  if (names.length === 0) return

  // In a full table, a new name starts with the weight of the rarest, so that names that were
  // common once do not keep their places. The algorithm is called Space-Saving.
  const floor = sql(`
    SELECT iif(count(*) < ${MOST_NAMES}, 0, min(weight)) AS floor FROM visitNames`).get()?.floor
  const known = sql(`
    INSERT INTO visitNames (kind, name, weight) VALUES (:kind, :name, :floor + :number)
    ON CONFLICT DO UPDATE SET weight = weight + :number RETURNING id`)
  for (const { kind, name, number } of names) {
    const id =
      name === null
        ? others[kind]
        : Number(known.get({ kind, name, floor: Number(floor), number })?.id)
    addToName(sql, id, hour, number)
  }
}

function dropRarest(sql: Sql) {
  const rarest = sql(`
    SELECT id, kind FROM visitNames ORDER BY weight, id
    LIMIT max(0, (SELECT count(*) FROM visitNames) - ${MOST_NAMES})`).all()
  for (const { id, kind } of rarest) {
    for (const { hour, number } of sql(
      'DELETE FROM visitsByName WHERE nameId = ? RETURNING hour, number',
    ).all(String(id)))
      addToName(sql, others[kind as NameKind], Number(hour), Number(number))
    sql('DELETE FROM visitNames WHERE id = ?').run(String(id))
  }
}
