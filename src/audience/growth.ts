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

/** The earliest time that the curves need of `growth`. */
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
