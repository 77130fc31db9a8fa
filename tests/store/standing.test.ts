import { describe, expect, it } from 'vitest'
import {
  cleanDetail,
  isLiftedBySignUp,
  mayBeWrittenTo,
  standings,
} from '../../src/people/standing.ts'
import { isSelected, leftAt } from '../../src/store/subscriber-list.ts'

const [before, now, after] = [new Date(1000), new Date(2000), new Date(3000)]

it('lets only subscribers be written to, and a sign-up lift what their owner said, and a quarantine', () => {
  expect(standings.filter(mayBeWrittenTo)).toEqual(['subscribed'])
  expect(standings.filter(isLiftedBySignUp)).toEqual([
    'pending',
    'quarantined',
    'unsubscribed',
    'forgotten',
  ])
})

it('selects those who may be written to, all, or those of one standing', () => {
  const selected = (selection: Parameters<typeof isSelected>[1]) =>
    standings.filter((standing) => isSelected(standing, selection))
  expect(selected({})).toEqual(['subscribed'])
  expect(selected({ standing: 'all' })).toEqual(standings)
  expect(selected({ standing: 'bounced' })).toEqual(['bounced'])
})

it('has nobody leave before they came', () => {
  const one = { email: 'ada@example.com', subscribedAt: now }
  expect(leftAt({ ...one, standingAt: before }, after)).toEqual(now)
  expect(leftAt({ ...one, standingAt: after }, now)).toEqual(after)
  expect(leftAt(one, after)).toEqual(after)
  expect(leftAt(one, before)).toEqual(now)
})

describe('a reason', () => {
  it.each([
    ['550 5.1.1 no such user', '550 5.1.1 no such user'],
    ['  550\r\n\tno\u00a0\u2028user ', '550 no user'],
    ['550 <ada@example.com>: no', '550 … no'],
    ['a\u001b[31mb\u202ec', 'a [31mb c'],
    ['ada@example.com', '…'],
  ])('is one line without addresses: %j', (text, kept) => {
    expect(cleanDetail(text)).toBe(kept)
  })

  it('has at most 200 characters, whole ones', () => {
    expect(cleanDetail('x'.repeat(300))).toBe('x'.repeat(200))
    expect(cleanDetail('😀'.repeat(300))).toBe('😀'.repeat(200))
    // What is far behind is not looked at.
    expect(cleanDetail(`a${' '.repeat(4000)}b`)).toBe('a')
    expect(cleanDetail(`a${' '.repeat(3998)}b`)).toBe('a b')
  })

  it('is none where nothing is left', () => {
    for (const text of [undefined, '', ' \r\n', '\u200b']) expect(cleanDetail(text)).toBeUndefined()
  })
})
