import { describe, expect, it } from 'vitest'
import { parseKeepRule } from '../../../src/shared/keep-rule.ts'
import { keptTimes, lastOneGoes } from '../../../src/upkeep/back-up/keep-rule.ts'

const DAY_MS = 86_400_000
const night = (day: string) => new Date(`${day}T03:10:00Z`)
const days = (times: Iterable<Date>) =>
  [...times].map((time) => time.toISOString().slice(0, 10)).toSorted()

/** What is there after each night, as `backup --keep` leaves it. */
function* nights(from: Date, count: number, text: string) {
  const rule = ruleOf(text)
  let there: Date[] = []
  for (let i = 0; i < count; i += 1) {
    const now = new Date(from.getTime() + i * DAY_MS)
    there = [...keptTimes([...there, now], rule)]
    yield { now, there, rule }
  }
}

function ruleOf(text: string) {
  const rule = parseKeepRule(text)
  if (!rule) throw new Error(`${text} is no rule`)
  return rule
}

describe('the rule of what is kept', () => {
  it('keeps the last of seven days, of four weeks and of twelve months', () => {
    const all = [...nights(night('2025-01-01'), 690, '7,4,12')]
    const last = all.at(-1)
    expect(days([last?.now ?? new Date()])).toEqual(['2026-11-21'])
    expect(days(last?.there ?? [])).toEqual([
      ...['2025-12-31', '2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'],
      ...['2026-06-30', '2026-07-31', '2026-08-31', '2026-09-30', '2026-10-31'],
      // Sundays, then the week up to Saturday.
      ...['2026-11-01', '2026-11-08', '2026-11-15'],
      ...['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20', '2026-11-21'],
    ])
  })

  it('keeps one of a day, the last, however many were made in it', () => {
    const hours = [1, 5, 9, 13].map((hour) => new Date(Date.UTC(2026, 0, 5, hour)))
    expect([...keptTimes(hours, ruleOf('7,0,0'))]).toEqual([hours[3]])
  })

  it('lets nothing grow old while none are made', () => {
    const old = ['2020-01-01', '2020-01-02', '2021-05-05'].map(night)
    expect(days(keptTimes(old, ruleOf('3,0,0')))).toEqual(days(old))
  })

  it('keeps the newest whatever else', () => {
    for (const text of ['1,0,0', '0,1,0', '0,0,1'])
      for (const { now, there } of nights(night('2026-01-25'), 40, text)) {
        expect(there).toContainEqual(now)
        expect(there).toHaveLength(1)
      }
  })

  it.each(['', '7', '7,4', '7,4,12,1', '0,0,0', '-1,0,0', '7, 4, 12', '241,0,0', 'a,b,c'])(
    'is none that says %j',
    (text) => expect(parseKeepRule(text)).toBeUndefined(),
  )
})

describe('the day when the last copy from before is gone', () => {
  it.each(['7,4,12', '7,0,0', '1,0,0', '0,0,3', '3,2,0'])('is the day it goes with %s', (text) => {
    const all = [...nights(night('2026-01-01'), 1200, text)]
    for (const from of [100, 233, 310]) {
      const { now, there, rule } = all[from] as (typeof all)[number]
      const left = (one: (typeof all)[number]) => one.there.some((time) => there.includes(time))
      expect(lastOneGoes(there, rule, now)).toEqual(all.slice(from).find((one) => !left(one))?.now)
    }
  })
})
