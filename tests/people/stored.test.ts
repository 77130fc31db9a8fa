import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sayNo, signUp } from '../../src/people/changes.ts'
import { nobody } from '../../src/people/person.ts'
import { personIn, personText, unreadable } from '../../src/people/stored.ts'

const left = sayNo(
  signUp(nobody, {
    email: 'ada@example.com',
    at: new Date('2026-11-01T10:00:00.000Z'),
    source: { source: 'news' },
    fields: { language: 'de' },
  }),
  'unsubscribed',
  { at: new Date('2026-11-02T10:00:00.000Z'), detail: 'asked by phone' },
)

describe('a stored person', () => {
  it('is read as it was written', () => {
    expect(personIn(personText(left))).toEqual(left)
    expect(personIn(personText(nobody))).toEqual(nobody)
  })

  it('is not read at all where what stops mail cannot be read, so that it is not mailed', () => {
    const stored = JSON.parse(personText(left)) as Record<string, unknown>
    for (const hostile of [
      'not JSON',
      '[]',
      'null',
      {},
      { ...stored, noes: undefined },
      { ...stored, noes: [] },
      { ...stored, noes: { unsubscribed: { at: 'yesterday' } } },
      { ...stored, noes: { 'of a later version': { at: '2026-11-02T10:00:00.000Z' } } },
      { ...stored, blockedBy: 'a later version' },
      { ...stored, email: 'Ada <ada@example.com>' },
      { ...stored, signedUp: { first: '2026-11-01T10:00:00.000Z' } },
      { ...stored, pending: { email: 7 } },
      { ...stored, noes: { bounced: { at: '2026-11-02T10:00:00.000Z', detail: { toString: 1 } } } },
    ])
      expect(personIn(hostile), JSON.stringify(hostile)).toBe(unreadable)
  })

  it('is kept without fields that are deeper or longer than any that are written', () => {
    const levels = 40_000
    const deep = `{"noes":{},"fields":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`
    expect(personIn(deep)).toEqual(nobody)
    expect(personIn({ noes: {}, fields: { a: 'a'.repeat(30_000) } })).toEqual(nobody)
  })

  it('never makes its reader fail, whatever was written', () => {
    fc.assert(
      fc.property(fc.anything(), fc.jsonValue(), (one, other) => {
        personIn(one)
        personIn({ noes: {}, fields: {}, pending: other, events: one, signedUp: other })
      }),
    )
  })
})
