import { localDay } from '../shared/local-time.ts'

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

/**
 * The last day that is over by now, from one such time of day to the next, in the time zone of this
 * process: it has 23 or 25 hours if the clocks change in between. A time that they show twice counts when
 * they show it first, and one that they skip as long after the change.
 */
export function lastEndedDay(now: Date, { hour, minute }: TimeOfDay): EndedDay {
  const [year, month, today] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const endOf = (day: number) => new Date(year, month, day, hour, minute)
  const last = endOf(today) <= now ? today : today - 1
  return { day: localDay(new Date(year, month, last, 12)), from: endOf(last - 1), to: endOf(last) }
}
