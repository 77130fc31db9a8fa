import type { KeepRule } from '../../shared/keep-rule.ts'

const DAY_MS = 86_400_000

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
