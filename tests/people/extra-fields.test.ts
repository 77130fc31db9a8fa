import { expect, it } from 'vitest'
import { extraFrom, parseExtra, withFields } from '../../src/people/extra-fields.ts'
import { fieldsIn, languageIn, mergeExtra } from '../../src/people/known-fields.ts'

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
  // Where there is none, nothing else goes for it.
  expect(withFields(ofLength(9950), { answer: 'y'.repeat(200) })).toEqual(ofLength(9950))
})

it('has the language of the question that was answered, or else of the first page or file', () => {
  const consent = { language: 'ar' }
  expect(languageIn({ language: 'de', consent })).toBe('ar')
  expect(languageIn({ language: 'de', consent: { language: 5 } })).toBe('de')
  expect(languageIn(mergeExtra({ language: 'de' }, { language: 'fr' }))).toBe('de')
  expect(languageIn({ language: '<b>' })).toBeUndefined()
})

it('keeps of a form what it asks for, as far as it can be read', () => {
  const form = { email: 'ada@example.com', comment: 'x', language: 'de', openFor: 1 }
  expect(fieldsIn(form)).toEqual({ language: 'de' })
  const hostile = [undefined, null, 5, '', 'x'.repeat(10_000), '<b>', ['de', 'fr'], { a: 1 }]
  for (const language of hostile) expect(fieldsIn({ language })).toBeUndefined()
  // Nobody says here what only a file or a link may say.
  const others = { firstName: 'Ada', evidence: 'x', answer: 'x', consent: {}, came: '2026-01-01' }
  expect(fieldsIn(others)).toBeUndefined()
})

it('takes a first name for one that is none', () => {
  expect(mergeExtra({ firstName: 'M?ria' }, { firstName: 'Maria' })).toEqual({ firstName: 'Maria' })
  expect(mergeExtra({ firstName: 'Ada' }, { firstName: 'Maria' })).toEqual({ firstName: 'Ada' })
})

it('keeps the later reply with its own time, and one without a time only where there is no other', () => {
  const replied = (answer: string, day?: number) => ({
    answer,
    ...(day && { repliedAt: `2026-11-0${day}T12:00:00.000Z` }),
  })
  const [early, late, untimed] = [replied('Bonn', 1), replied('Köln', 2), replied('Ulm')]
  expect(mergeExtra(early, late)).toEqual(late)
  expect(mergeExtra(late, early)).toEqual(late)
  expect(mergeExtra(untimed, late)).toEqual(late)
  expect(mergeExtra(late, untimed)).toEqual(late)
  expect(mergeExtra(untimed, replied('Jena'))).toEqual(untimed)
  expect(mergeExtra({ repliedAt: late.repliedAt }, untimed)).toEqual(untimed)
})
