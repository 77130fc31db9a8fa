import { expect, it } from 'vitest'
import { isDue } from '../../src/server/check-counts.ts'
import { damageInWords } from '../../src/shared/list-damage.ts'

const at = (hour: number, day = 10) => new Date(2026, 10, day, hour)
const last = (time: Date) => ({ at: time, unreadable: 0, wrong: [] })

it('everybody is counted once a night, and at any time where the machine sleeps at night', () => {
  expect(isDue(undefined, at(12))).toBe(true)
  expect(isDue(last(at(2)), at(4))).toBe(false)
  expect(isDue(last(at(3)), at(2, 11))).toBe(true)
  expect(isDue(last(at(3)), at(12, 11))).toBe(false)
  expect(isDue(last(at(3)), at(12, 12))).toBe(true)
  expect(isDue(last(at(3, 20)), at(12))).toBe(true)
})

it('what is damaged is said with its numbers, and nothing of what is whole', () => {
  expect(damageInWords({ unreadable: 0, wrong: [] })).toEqual([])
  expect(
    damageInWords({ unreadable: 1, wrong: [{ name: 'is:bounced', kept: 1200, counted: 3 }] }),
  ).toEqual([
    'The data of 1 person cannot be read. They are held and get no letters: list --standing quarantined shows them as "cannot be read".',
    'Counts of the list were wrong, and were put right: is:bounced 1,200, not 3.',
  ])
})
