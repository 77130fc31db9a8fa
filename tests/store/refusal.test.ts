import { expect, it } from 'vitest'
import { areMany, isFullForGood } from '../../src/store/refusal.ts'

const day = (n: number) => new Date(n * 86_400_000)

it('a mailbox is full for good at the third report within two weeks, in whatever order', () => {
  const isIt = (...days: number[]) => isFullForGood(days.map(day))
  expect([isIt(), isIt(1), isIt(1, 1), isIt(1, 8, 15.1)]).toEqual([false, false, false, false])
  expect([isIt(1, 1, 1), isIt(1, 8, 15), isIt(15, 1, 8), isIt(40, 1, 90, 3, 2)]).toEqual(
    Array(4).fill(true),
  )
})

it('a provider refuses many from 20 people on, if they are a tenth of those there', () => {
  expect([areMany(19, 19), areMany(20, 20), areMany(20, 200), areMany(20, 201)]).toEqual([
    false,
    true,
    true,
    false,
  ])
})
