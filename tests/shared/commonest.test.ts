import { expect, it } from 'vitest'
import { commonest } from '../../src/shared/commonest.ts'

it('keeps the commonest of a million names, and says how much it dropped', () => {
  let dropped = 0
  const counter = commonest(100, (_, number) => {
    dropped += number
  })
  for (let i = 0; i < 1_000_000; i += 1) {
    counter.add(`random ${i}`)
    if (i % 50 === 0) counter.add('common')
  }
  const names = counter.names()
  expect(names).toHaveLength(100)
  expect(names[0]).toEqual(['common', 20_000])
  expect(names.reduce((sum, [, number]) => sum + number, dropped)).toBe(1_020_000)
})

it('gives the commonest first, and equal ones by name', () => {
  for (const came of [
    ['b', 'a', 'c', 'c'],
    ['a', 'b', 'c', 'c'],
  ]) {
    const counter = commonest(9, () => {})
    for (const name of came) counter.add(name)
    expect(counter.names()).toEqual([
      ['c', 2],
      ['a', 1],
      ['b', 1],
    ])
  }
})
