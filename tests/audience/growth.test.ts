import { describe, expect, it } from 'vitest'
import { curveOf, earliestOf, signUpsIn, startsOf } from '../../src/audience/growth.ts'
import { QUARTER_MS } from '../../src/people/index-tags.ts'
import type { Growth } from '../../src/store/subscriber-list.ts'
import { noneOfEach } from '../../src/store/subscriber-list.ts'

/** In the zone of whoever runs the tests. */
const NOW = new Date(2026, 10, 18, 14, 30)

function growthOf(signUps: readonly (readonly [Date, number])[], before = 0): Growth {
  const quarters = signUps
    .map(([at, number]) => ({ at: Math.floor(Number(at) / QUARTER_MS) * QUARTER_MS, number }))
    .sort((a, b) => a.at - b.at)
  const subscribed = quarters.reduce((sum, { number }) => sum + number, before)
  const asked = { confirmed: 0, toConfirm: 0 }
  return { standings: { ...noneOfEach(), subscribed }, imported: 0, quarters, ...asked }
}

const daysAgo = (days: number, hour: number, minute = 0) =>
  new Date(2026, 10, 18 - days, hour, minute)

describe('the curve of growth', () => {
  it('has hours, days and weeks, of which the last holds this moment', () => {
    expect(startsOf('hour', NOW).at(-1)).toEqual(new Date(2026, 10, 18, 14))
    expect(startsOf('day', NOW).at(-1)).toEqual(new Date(2026, 10, 18))
    // A Monday.
    expect(startsOf('week', NOW).at(-1)).toEqual(new Date(2026, 10, 16))
    expect(startsOf('week', NOW).every((week) => week.getDay() === 1)).toBe(true)
    expect(startsOf('day', NOW)).toHaveLength(42)
    expect(Number(earliestOf(NOW))).toBeLessThanOrEqual(Number(startsOf('week', NOW)[0]))
  })

  it('puts a sign-up into the day on whose midnight that day begins', () => {
    const midnight = new Date(2026, 10, 18)
    const { quarters } = growthOf([
      [midnight, 3],
      [new Date(Number(midnight) - QUARTER_MS), 2],
    ])
    expect(signUpsIn(quarters, startsOf('day', NOW, 3))).toEqual([0, 2, 3])
  })

  it('leads up to everybody on the list who is no robot', () => {
    const growth = growthOf([[daysAgo(0, 9), 3]], 100)
    const standings = { ...growth.standings, subscribed: 90, unsubscribed: 13, quarantined: 50 }
    const { signUps, before } = curveOf('day', { ...growth, standings }, NOW)
    expect(signUps.at(-1)).toBe(3)
    expect(before).toBe(100)
  })
})

describe('the curve of a young list', () => {
  it('begins with the first sign-up, or a little before', () => {
    expect(curveOf('day', growthOf([[daysAgo(20, 9), 3]]), NOW).signUps).toEqual([
      3,
      ...Array.from({ length: 20 }, () => 0),
    ])
    expect(curveOf('day', growthOf([[daysAgo(0, 9), 3]]), NOW).signUps).toHaveLength(14)
    expect(curveOf('hour', growthOf([]), NOW).starts).toHaveLength(24)
  })
})
