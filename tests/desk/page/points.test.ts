import { expect, it } from 'vitest'
import { pointsOf } from '../../../src/desk/page/today/points.ts'

// Midnight in Berlin.
const starts = [Date.parse('2026-11-06T23:00Z'), Date.parse('2026-11-07T23:00Z')]

it.each([
  ['day', ['Sat 7 Nov', 'Sun 8 Nov'], ['7 Nov', 'today']],
  ['week', ['Week of 7 Nov', 'Week of 8 Nov'], ['7 Nov', 'this week']],
  ['hour', ['Sat 00:00', 'Sun 00:00'], ['00:00', 'now']],
] as const)('the curve names a %s in the zone that it is of', (span, names, labels) => {
  const points = pointsOf({ starts, signUps: [2, 3], before: 10 }, span, 'Europe/Berlin')
  expect(points.map(({ name }) => name)).toEqual(names)
  expect(points.map(({ label }) => label)).toEqual(labels)
  expect(points.map(({ signUps, total }) => [signUps, total])).toEqual([
    [2, 12],
    [3, 15],
  ])
})
