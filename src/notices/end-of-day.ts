import { momentsOf, offsetAt, wallTimeOf } from '../shared/zoned-time.ts'

/** A local time of day. */
export interface TimeOfDay {
  readonly hour: number
  readonly minute: number
}

/** A day that is over; it is told once. */
interface EndedDay {
  /** When it was over, such as `2026-11-22`. */
  readonly day: string
  readonly from: Date
  readonly to: Date
}

const DAY_MS = 86_400_000

/**
 * The last day that is over by now, from one such time of day to the next: it has 23 or 25 hours if
 * the clocks change in between.
 *
 * @param zone as IANA names it, such as `Europe/Berlin`.
 */
export function lastEndedDay(now: Date, at: TimeOfDay, zone: string): EndedDay {
  const wall = wallTimeOf(now.getTime(), zone)
  const today = wall - (wall % DAY_MS)
  const days = [0, 1, 2].map((back) => today - back * DAY_MS)
  const [to = today, from = today] = days
    .map((day) => instantOf(day, at, zone))
    .filter((time) => time <= now.getTime())
  const day = days.find((one) => instantOf(one, at, zone) === to) ?? today
  return { day: new Date(day).toISOString().slice(0, 10), from: new Date(from), to: new Date(to) }
}

/**
 * The moment of a local time on a day. If the clocks show it twice, the first; if they skip it, the
 * moment as long after the change as it would have been.
 */
function instantOf(day: number, { hour, minute }: TimeOfDay, zone: string): number {
  const wall = day + (hour * 60 + minute) * 60_000
  const [moment] = momentsOf(wall, zone)
  return moment ? moment.getTime() : wall - offsetAt(wall - DAY_MS, zone)
}
