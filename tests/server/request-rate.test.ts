import { expect, it } from 'vitest'
import { requestRate } from '../../src/server/http/request-rate.ts'

it('lets so many through at once, then so many a second, for each id by itself', () => {
  let now = 0
  const isWithin = requestRate({ burst: 3, perSecond: 2 }, () => now)
  const ask = (times: number, id = 'one') => Array.from({ length: times }, () => isWithin(id))
  expect(ask(5)).toEqual([true, true, true, false, false])
  expect(ask(1, 'other')).toEqual([true])
  now += 1000
  // What was refused costs nothing.
  expect(ask(3)).toEqual([true, true, false])
  now += 3_600_000
  expect(ask(4)).toEqual([true, true, true, false])
})

it('remembers the 500 that asked last, and no more', () => {
  const isWithin = requestRate({ burst: 1, perSecond: 0 }, () => 0)
  expect(isWithin('one')).toBe(true)
  for (let i = 0; i < 499; i += 1) isWithin(`other ${i}`)
  expect(isWithin('one')).toBe(false)
  for (let i = 0; i < 500; i += 1) isWithin(`another ${i}`)
  expect(isWithin('one')).toBe(true)
})
