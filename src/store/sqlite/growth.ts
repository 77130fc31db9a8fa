import {
  CONFIRMED,
  IMPORTED,
  QUARTER_MS,
  quarterName,
  standingTags,
  TO_CONFIRM,
} from '../../people/index-tags.ts'
import { standings } from '../../people/standing.ts'
import { storedTime } from '../../shared/stored-json.ts'
import { type Growth, noneOfEach, type StandingCounts } from '../subscriber-list.ts'
import type { Sql } from './connection.ts'
import type { SqliteDatabase } from './database.ts'

/* What is counted of people as they change, in the table `counters`. */

export function countOf(sql: Sql, name: string): number {
  return Number(sql('SELECT number FROM counters WHERE name = ?').get(name)?.number ?? 0)
}

export function countedStandings(sql: Sql): StandingCounts {
  const counts = noneOfEach()
  for (const standing of standings) counts[standing] = countOf(sql, standingTags(standing)[0])
  return counts
}

const sumOf = (counts: StandingCounts) =>
  Object.values(counts).reduce((sum, number) => sum + number, 0)

/** The size of the list. */
export const everybodyIn = (sql: Sql): number => sumOf(countedStandings(sql))

/** The same without the quarantined. */
export function listedIn(sql: Sql): number {
  const counts = countedStandings(sql)
  return sumOf(counts) - counts.quarantined
}

/** Figures that are kept as people change: looking again costs little. Each throws StoreUnavailable. */
export function sqliteGrowth(database: SqliteDatabase) {
  return {
    /** Those who may be written to and came before a time: how many, and when the first did. */
    before: (time: Date) =>
      database.read((sql) => {
        const [is, imported] = standingTags('subscribed')
        const row = sql(`
          SELECT count(*) AS people, min(at) AS since FROM places WHERE tag IN (?, ?) AND at < ?`).get(
          ...[is, imported, time.toISOString()],
        )
        return { people: Number(row?.people), since: storedTime(row?.since) }
      }),

    /** How the list grows. @param since of the quarters that are counted one by one. */
    since: (since: Date): Promise<Growth> =>
      database.read((sql) => {
        const rows = sql(`
          SELECT name, number FROM counters
          WHERE name >= ? AND name < 'quarter;' AND number > 0 ORDER BY name`)
        return {
          standings: countedStandings(sql),
          imported: countOf(sql, IMPORTED),
          quarters: rows.all(quarterName(since)).map(({ name, number }) => ({
            at: Number(String(name).slice('quarter:'.length)) * QUARTER_MS,
            number: Number(number),
          })),
          confirmed: countOf(sql, CONFIRMED),
          toConfirm: countOf(sql, TO_CONFIRM),
        }
      }),
  }
}
