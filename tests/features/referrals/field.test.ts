import { expect, it } from 'vitest'
import {
  knownFields,
  namedIn,
  saidFrom,
  toldOf,
  withoutNamed,
} from '../../../src/people/known-fields.ts'

it('erases what names somebody else, and leaves the rest', () => {
  const [by, at] = ['A'.repeat(22), '2026-11-01T12:00:00.000Z']
  const fields = { plan: 'pro', came: at, referral: { by, at } }
  expect(namedIn(fields)).toEqual([by])
  expect(namedIn({ referral: { by: 'nobody', at } })).toEqual([])
  expect(withoutNamed(fields, (one) => one === by)).toEqual({ plan: 'pro', came: at })
  expect(withoutNamed(fields, () => false)).toBe(fields)
})

it('lets what a stored sign-up said name nobody else', () => {
  const referral = { by: 'A'.repeat(22), at: '2026-11-01T12:00:00.000Z' }
  expect(saidFrom({ language: 'de', plan: 'pro', referral })).toEqual({
    language: 'de',
    plan: 'pro',
  })
  for (const value of [undefined, 5, 'x', [], {}]) expect(saidFrom(value)).toBeUndefined()
})

it('is told with its time', () => {
  const at = '2026-11-01T12:00:00.000Z'
  expect(toldOf(knownFields({ referral: { by: 'A'.repeat(22), at } }))).toEqual([
    { name: 'referral', term: 'referred by a personal link', is: new Date(at) },
  ])
})
