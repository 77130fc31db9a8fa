import { setTimeout as sleep } from 'node:timers/promises'
import type { AddressIds } from '../../keys/address-id.ts'
import { marksOf } from '../../people/index-tags.ts'
import { personIn, unreadable } from '../../people/stored.ts'
import type { Damage, WrongCount } from '../../shared/list-damage.ts'
import { asCount, asText, listOf, reader, storedTime } from '../../shared/stored-json.ts'
import type { Sql } from './connection.ts'
import { addTo, type Counts, keepCounts } from './counters.ts'
import type { SqliteDatabase } from './database.ts'
import { OF_DELIVERIES } from './delivery-rows.ts'
import { noteIn, numberIn, putNote } from './notes.ts'

/** People in one transaction: some milliseconds. */
const SLICE = 300
const PAUSE_MS = 20
const MOST_TOLD = 5

/** Before the name of a counter: what was counted again so far. */
const AGAIN = 'again:'
const UNREADABLE = `${AGAIN}unreadable`
const UP_TO = 'countedUpTo'

/*
 * Everybody is counted in slices, in the order of their numbers. Who changes meanwhile and was
 * counted already changes that count in the same transaction: so it is exact at its end, on a list that
 * nobody holds still.
 */

/**
 * What is counted as people change, compared with a count of everybody. A difference is a fault, of the
 * code or the disk: it is told, and the counters are put right. Each method throws StoreUnavailable.
 */
export function sqliteCountCheck(database: SqliteDatabase, addressIds: AddressIds) {
  return {
    /** Counts everybody, a few at a time: a million take minutes. */
    async check(signal: AbortSignal): Promise<void> {
      await database.write(begin)
      const count = (sql: Sql) => countSome(sql, addressIds)
      while (!(await database.write(count))) await sleep(PAUSE_MS, undefined, { signal })
    },

    /** What the last whole count found. */
    last: () => database.read((sql) => countedIn(noteIn(sql, 'counted'))),
  }
}

/** `list` names those who cannot be read; of the counters that were wrong there are a few at most. */
export interface Counted extends Damage {
  readonly at: Date
}

/** How far everybody is counted again just now; 0 where nobody counts. */
export const countedUpTo = (sql: Sql): number => numberIn(sql, UP_TO)

/** The same changes, to what was counted again. */
export const again = (counts: Counts): Counts =>
  new Map([...counts].map(([name, number]) => [AGAIN + name, number]))

function begin(sql: Sql): void {
  forgetCounts(sql)
  putNote(sql, UP_TO, 0)
}

/** @returns whether everybody is counted. */
function countSome(sql: Sql, addressIds: AddressIds): boolean {
  const people = sql(`SELECT n, data FROM persons WHERE n > ? ORDER BY n LIMIT ${SLICE}`).all(
    countedUpTo(sql),
  )
  const counts: Counts = new Map()
  for (const { data } of people) {
    const one = personIn(data)
    if (one === unreadable) addTo(counts, UNREADABLE, 1)
    else for (const name of marksOf(one, addressIds).counters) addTo(counts, AGAIN + name, 1)
  }
  keepCounts(sql, counts)
  const last = people.at(-1)
  if (last) putNote(sql, UP_TO, Number(last.n))
  // Where people come all the time, there is always one more.
  const isWhole = people.length < SLICE
  if (isWhole) end(sql)
  return isWhole
}

function end(sql: Sql): void {
  const unread = sql('SELECT number FROM counters WHERE name = ?').get(UNREADABLE)
  sql('DELETE FROM counters WHERE name = ?').run(UNREADABLE)
  const wrong = sql(`
    SELECT name, sum(kept) AS kept, sum(counted) AS counted FROM (
      SELECT name, number AS kept, 0 AS counted FROM counters
      WHERE NOT ${isAgain} AND name NOT GLOB '${OF_DELIVERIES}*'
      UNION ALL
      SELECT substr(name, ${AGAIN.length + 1}), 0, number FROM counters WHERE ${isAgain})
    GROUP BY name HAVING sum(kept) <> sum(counted)`)
    .all()
    .map((row) => ({
      name: String(row.name),
      kept: Number(row.kept),
      counted: Number(row.counted),
    }))
  keepCounts(sql, new Map(wrong.map(({ name, kept, counted }) => [name, counted - kept])))
  forgetCounts(sql)
  const found: Counted = {
    at: new Date(),
    unreadable: Number(unread?.number ?? 0),
    wrong: wrong.slice(0, MOST_TOLD),
  }
  putNote(sql, UP_TO, undefined)
  putNote(sql, 'counted', found)
}

const isAgain = `(name >= '${AGAIN}' AND name < '${AGAIN.slice(0, -1)};')`
const forgetCounts = (sql: Sql) => void sql(`DELETE FROM counters WHERE ${isAgain}`).run()

const asWhole = (stored: unknown) => (Number.isInteger(stored) ? Number(stored) : undefined)
const wrongIn = reader<WrongCount>({ name: asText, kept: asWhole, counted: asWhole })
/** Anybody may have written it. */
const countedIn = reader<Counted>({ at: storedTime, unreadable: asCount, wrong: listOf(wrongIn) })
