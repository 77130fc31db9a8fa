import { expect, it } from 'vitest'
import { partOf } from '../../src/store/people.ts'

it.each([
  ['Ada', 'ada'],
  ['  ada@Example.COM ', 'ada@example.com'],
  ['@Example.com', '@example.com'],
  ['Ada Lovelace <ada@example.com>', 'ada@example.com'],
  ['mailto:ada@example.com', 'ada@example.com'],
  ['ada@müller.de', 'ada@xn--mller-kva.de'],
  ['@müller.de', '@xn--mller-kva.de'],
  ['müller.de', 'xn--mller-kva.de'],
  ['@mül', '@mül'],
  ['jörg@', 'jörg@'],
  ['jo\u0308rg@', 'jörg@'],
  ['ada@example.com”', 'ada@example.com'],
  ['a\u0000d\u202ea', 'ada'],
])('looks for what is meant by %j', (typed, part) => {
  expect(partOf(typed)).toBe(part)
})

it('looks for nothing where nothing was typed, and for no more than an address may have', () => {
  for (const nothing of [undefined, '', ' \t\n', '\u200b', '<>'])
    expect(partOf(nothing)).toBeUndefined()
  expect(partOf('x'.repeat(1e6))?.length).toBeLessThan(255)
})
