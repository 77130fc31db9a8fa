import { QUARTER_MS } from '../people/places.ts'
import type { Growth, QuarterOfSignUps } from '../store/subscriber-list.ts'

/** The units of the curve of growth. */
const spans = ['hour', 'day', 'week'] as const

export type Span = (typeof spans)[number]

/** How many of each are shown; the last one is under way. */
const lengths: Readonly<Record<Span, number>> = { hour: 48, day: 42, week: 26 }

/**
 * On a young list, those before the first sign-up are left out, but at least this many are shown.
 */
const fewest: Readonly<Record<Span, number>> = { hour: 24, day: 14, week: 8 }

export interface Curve {
  /** When each hour, day or week begins, in milliseconds since 1970. */
  readonly starts: readonly number[]
  /** The sign-ups in each. */
  readonly signUps: readonly number[]
  /** How many were listed before the first, the imported among them: these belong to no day. */
  readonly before: number
}

/** When the last hours, days or weeks begin, in this process's time zone; the last holds `now`. */
export function startsOf(span: Span, now: Date, length = lengths[span]): Date[] {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()]
  const hour = new Date(now).setMinutes(0, 0, 0)
  // A week begins on Monday.
  const sinceMonday = (now.getDay() + 6) % 7
  return Array.from({ length }, (_, i) => {
    const back = length - 1 - i
    if (span === 'hour') return new Date(hour - back * 3_600_000)
    return new Date(year, month, span === 'day' ? day - back : day - sinceMonday - 7 * back)
  })
}

/** The earliest time that the curves and `usualBy` need of `growth`. */
export function earliestOf(now: Date): Date {
  return new Date(Math.min(...spans.map((span) => Number(startsOf(span, now)[0]))))
}

/** The sign-ups in each of some consecutive periods. */
export function signUpsIn(
  quarters: readonly QuarterOfSignUps[],
  starts: readonly Date[],
): number[] {
  const sums = starts.map(() => 0)
  const bounds = starts.map(Number)
  let period = -1
  for (const { at, number } of quarters) {
    while ((bounds[period + 1] ?? Number.POSITIVE_INFINITY) <= at) period += 1
    if (period >= 0) sums[period] = (sums[period] ?? 0) + number
  }
  return sums
}

export function curveOf(span: Span, { quarters, ...growth }: Growth, now: Date): Curve {
  const starts = startsOf(span, now)
  const signUps = signUpsIn(quarters, starts)
  const counted = signUps.reduce((sum, number) => sum + number, 0)
  const before = Math.max(0, listed(growth) - counted)
  const first = before > growth.imported ? 0 : signUps.findIndex((number) => number > 0)
  const left = Math.min(first < 0 ? signUps.length : first, signUps.length - fewest[span])
  return { starts: starts.slice(left).map(Number), signUps: signUps.slice(left), before }
}

/** All on the list in every standing, except the quarantined. */
function listed({ standings }: Pick<Growth, 'standings'>): number {
  const { quarantined, forgotten: _, ...others } = standings
  return Object.values(others).reduce((sum, number) => sum + number, 0)
}

/** How many days tell what is usual, and the fewest that do. */
const USUAL_DAYS = 28
const FEWEST_DAYS = 3

/**
 * How many sign up on a usual day by this time of the day: the median of the last four weeks, or of
 * the days since the first sign-up. Within a quarter of an hour, sign-ups are assumed to come
 * evenly.
 *
 * @returns `null` on the first days.
 */
export function usualBy(growth: Growth, now: Date): number | null {
  const { quarters } = growth
  const first = firstSignUp(growth, now)
  const [hour, minute] = [now.getHours(), now.getMinutes()]
  const days = startsOf('day', now, USUAL_DAYS + 1).slice(0, -1)
  const counts = days
    .filter((day) => Number(day) >= first)
    .map((day) => {
      const until = new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour, minute)
      return countBetween(quarters, Number(day), Number(until))
    })
    .sort((a, b) => a - b)
  if (counts.length < FEWEST_DAYS) return null
  const middle = (counts.length - 1) / 2
  const [low = 0, high = 0] = [counts[Math.floor(middle)], counts[Math.ceil(middle)]]
  return (low + high) / 2
}

/**
 * The list's first sign-up, in milliseconds since 1970: long ago, if its quarters do not go back so
 * far.
 */
function firstSignUp(growth: Growth, now: Date): number {
  const { quarters, imported } = growth
  const counted = quarters.reduce((sum, { number }) => sum + number, 0)
  if (listed(growth) - imported > counted) return 0
  return quarters[0]?.at ?? Number(now)
}

function countBetween(quarters: readonly QuarterOfSignUps[], from: number, to: number): number {
  let count = 0
  for (const { at, number } of quarters) {
    if (at >= to) break
    if (at >= from) count += number * Math.min(1, (to - at) / QUARTER_MS)
  }
  return count
}
