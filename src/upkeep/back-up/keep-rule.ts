/** How many copies are kept: the last of each of so many days, weeks and months. */
export interface KeepRule {
  readonly days: number
  readonly weeks: number
  readonly months: number
}

export const KEEP_RULE = 'three whole numbers for days, weeks and months, such as 7,4,12'

const DAY_MS = 86_400_000
/** The most of each: 240 months are twenty years. */
const MOST = 240

/** @returns `undefined` for what is no rule, or one that keeps nothing. */
export function parseKeepRule(text: string): KeepRule | undefined {
  if (!/^\d{1,3}(,\d{1,3}){2}$/.test(text)) return undefined
  const [days = 0, weeks = 0, months = 0] = text.split(',').map(Number)
  const all = [days, weeks, months]
  return all.some((one) => one > MOST) || all.every((one) => one === 0)
    ? undefined
    : { days, weeks, months }
}

/**
 * Which of the copies made at these times are kept: the newest, and of each of the last days, weeks
 * and months **that have copies** the last one. So nothing grows old while none are made. Days are
 * those of UTC, weeks begin on Monday.
 */
export function keptTimes(times: readonly Date[], rule: KeepRule): Set<Date> {
  const newestFirst = times.toSorted((a, b) => Number(b) - Number(a))
  const kept = new Set(newestFirst.slice(0, 1))
  const periods = [
    [rule.days, dayOf],
    [rule.weeks, weekOf],
    [rule.months, monthOf],
  ] as const
  for (const [most, periodOf] of periods) {
    const seen = new Set<number>()
    for (const time of newestFirst) {
      if (seen.has(periodOf(time))) continue
      if (seen.size === most) break
      seen.add(periodOf(time))
      kept.add(time)
    }
  }
  return kept
}

/**
 * When the last of these copies goes, if from now on one is made each day.
 *
 * @param now later than all of them. @returns the time of the run that removes it.
 */
export function lastOneGoes(times: readonly Date[], rule: KeepRule, now: Date): Date {
  const theirs = new Set(times)
  let all = [...times]
  let next = now
  while (all.some((time) => theirs.has(time))) {
    next = new Date(next.getTime() + DAY_MS)
    all = [...keptTimes([...all, next], rule)]
  }
  return next
}

const dayOf = (time: Date) => Math.floor(time.getTime() / DAY_MS)
// The first of January 1970 was a Thursday.
const weekOf = (time: Date) => Math.floor((dayOf(time) + 3) / 7)
const monthOf = (time: Date) => time.getUTCFullYear() * 12 + time.getUTCMonth()
