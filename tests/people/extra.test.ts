import { expect, it } from 'vitest'
import { extraFrom, mergeExtra, parseExtra, withFields } from '../../src/people/extra.ts'

/** Fields whose JSON has so many characters. */
const ofLength = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) })

it('keeps an object as it was, up to 10,000 characters', () => {
  const fields = { 'First Name': 'Ada', tags: ['a', null, 1] }
  expect(parseExtra(fields)).toEqual(fields)
  expect(extraFrom(JSON.stringify(fields))).toEqual(fields)
  expect(parseExtra(ofLength(10_000))).toEqual(ofLength(10_000))
  expect(extraFrom(JSON.stringify(ofLength(10_000)))).toEqual(ofLength(10_000))
  expect(parseExtra(ofLength(10_001))).toBeUndefined()
  expect(extraFrom(JSON.stringify(ofLength(10_001)))).toBeUndefined()
  expect(extraFrom(`${JSON.stringify(fields)}${' '.repeat(10_000)}`)).toBeUndefined()
})

it('keeps nothing that is no object, or an empty one', () => {
  for (const value of [undefined, null, 5, 'x', [], ['a'], {}]) {
    expect(parseExtra(value)).toBeUndefined()
    expect(extraFrom(JSON.stringify(value))).toBeUndefined()
  }
  for (const json of [null, 5, '', '{', '{"a":1}}']) expect(extraFrom(json)).toBeUndefined()
})

it('adds what is new to what is known, which stays', () => {
  expect(mergeExtra({ a: 1 }, { a: 2, b: 2 })).toEqual({ a: 1, b: 2 })
  expect(mergeExtra(undefined, { a: 2 })).toEqual({ a: 2 })
  expect(mergeExtra({ a: 1 }, undefined)).toEqual({ a: 1 })
  expect(mergeExtra(undefined, undefined)).toBeUndefined()
  // There is no room for both.
  expect(mergeExtra(ofLength(7000), { b: 'x'.repeat(2000) })).toEqual(ofLength(7000))
  expect(mergeExtra(undefined, { a: 'x'.repeat(9000) })).toBeDefined()
})

it('has room for what somebody says here beside all that came with a file', () => {
  const known = mergeExtra(ofLength(7000), { b: 'x'.repeat(900) })
  expect(withFields(known, { answer: 'y'.repeat(200) })).toEqual({
    ...known,
    answer: 'y'.repeat(200),
  })
})
