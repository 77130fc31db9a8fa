import { expect, it } from 'vitest'
import { sayNo, signUp } from '../../src/people/changes.ts'
import { toErase } from '../../src/people/erase-quarantined.ts'
import type { PendingData } from '../../src/people/pending.ts'
import { nobody, type Person } from '../../src/people/person.ts'
import type { Request } from '../../src/people/request.ts'

const [email, at, suspicion] = ['ada@example.com', new Date(10_000), 'hidden-field']
const shown = { words: '', page: '', language: 'en' }

/** With a request whose letter waits, and with one that was sent; each with its signs, if any. */
const request = (one: Person, signs?: string): Person => ({
  ...one,
  email,
  request: { askedAt: at, shown, line: 0, dueAt: at, tries: 0, suspicion: signs } satisfies Request,
})
const asked = (one: Person, signs?: string, more: Partial<PendingData> = {}): Person => ({
  ...one,
  email,
  pending: { askedAt: at, shown, letters: 1, suspicion: signs, ...more },
})

const subscriber = signUp(nobody, { email, at })
const held = signUp(nobody, { email, at, suspicion })

it.each([
  ['who is quarantined, the address', held, 'address'],
  ['who asked with signs, before the letter', request(nobody, suspicion), 'address'],
  ['who was asked with signs', asked(nobody, suspicion), 'address'],
  ['who was asked with signs, and again', request(asked(nobody, suspicion), suspicion), 'address'],
  [
    'who is held since a program pressed both buttons',
    sayNo(asked(subscriber, suspicion), 'pending', { at: new Date(20_000) }),
    'address',
  ],
  ['a subscriber, what waits', asked(subscriber, suspicion), 'request'],
  [
    'who left, what waits',
    sayNo(request(subscriber, suspicion), 'unsubscribed', { at }),
    'request',
  ],
  ['nobody, nothing', nobody, undefined],
  ['a subscriber, nothing', subscriber, undefined],
  ['who confirmed, nothing', asked(subscriber, suspicion, { confirmedAt: at }), undefined],
  ['who asked without signs since, nothing', request(held), undefined],
  ['who was asked without signs since, nothing', asked(held), undefined],
  ['who asked without signs after it, nothing', request(asked(nobody, suspicion)), undefined],
  ['who asked without signs before it, nothing', request(asked(nobody), suspicion), undefined],
] as const)('of an address with signs is erased: of %s', (_, one, what) => {
  expect(toErase(one)).toBe(what)
})
