import { DAYS_BY_HOUR, MOST_DAYS } from '../visits.ts'
import type { Sql } from './connection.ts'

/** How many names are checked, or days of a name folded, at once: a few milliseconds in all. */
const PIECE = 32

/** How far the counts by name are folded. */
export interface Folded {
  /** The day until which they are folded, by its first hour since 1970. */
  readonly today: number
  /** The name that was checked last. */
  readonly last: number
  /** How many names have yet to be checked. */
  readonly left: number
}

/**
 * Sums counts by the hour that are older than `DAYS_BY_HOUR` into one a day, and drops those older
 * than `MOST_DAYS`: otherwise a thousand names an hour would make nine million rows a year. It
 * folds a piece at a time, since the server answers no request meanwhile. If a day ends before all
 * names are folded, the next day goes on there, so that no name is always the last.
 *
 * @param others ids that are no names. @param hour the latest hour that is counted now.
 * @param more how many rows this write may add: as many are folded, so that rare calls suffice.
 */
export function foldPiece(
  sql: Sql,
  known: Folded | undefined,
  others: readonly number[],
  { hour, more }: { readonly hour: number; readonly more: number },
): Folded {
  const today = hour - (hour % 24)
  const below = Math.min(...others) - 1
  const names = () => Number(sql('SELECT count(*) AS n FROM visitNames').get()?.n)
  let { last, left } =
    known?.today === today ? known : { last: known?.last ?? below, left: names() + others.length }
  for (let room = PIECE + more; room > 0 && left > 0; ) {
    const id = nextAfter(sql, last, others) ?? Math.min(...others)
    const days = foldName(sql, id, today, room)
    // This name may have more days.
    if (days === room) break
    room -= 1 + days
    last = id
    left -= 1
  }
  return { today, last, left }
}

function nextAfter(sql: Sql, last: number, others: readonly number[]): number | undefined {
  const other = others.filter((id) => id > last).toSorted((a, b) => a - b)[0]
  if (other !== undefined) return other
  const name = sql('SELECT id FROM visitNames WHERE id > ? ORDER BY id LIMIT 1').get(last)
  return name && Number(name.id)
}

/** @returns how many days of a name were folded, `most` at most. */
function foldName(sql: Sql, id: number, today: number, most: number): number {
  const startOf = (days: number) => today - (days - 1) * 24
  sql('DELETE FROM visitsByName WHERE nameId = ? AND hour < ?').run(id, startOf(MOST_DAYS))
  const days = sql(`
    SELECT hour - hour % 24 AS day, sum(number) AS number FROM visitsByName
    WHERE nameId = ? AND hour < ? AND hour % 24 > 0 GROUP BY 1 LIMIT ?`)
  const found = days.all(id, startOf(DAYS_BY_HOUR), most)
  for (const { day, number } of found) {
    sql('DELETE FROM visitsByName WHERE nameId = ? AND hour > ? AND hour < ?').run(
      ...[id, Number(day), Number(day) + 24],
    )
    addToName(sql, id, Number(day), Number(number))
  }
  return found.length
}

export function addToName(sql: Sql, id: number, hour: number, number: number): void {
  sql(`
    INSERT INTO visitsByName (nameId, hour, number) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET number = number + excluded.number`).run(id, hour, number)
}
