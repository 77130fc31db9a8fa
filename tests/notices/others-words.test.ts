import { expect, it } from 'vitest'
import { asSentAfter, meaningOf } from '../../src/notices/message.ts'
import { inWords } from '../../src/notices/words.ts'
import type { Notice } from '../../src/store/notices.ts'

const at = new Date('2026-03-01T09:00:00.000Z')
const notice = (id: string, data: Notice['data'], type: Notice['type'] = 'day.ended'): Notice => ({
  ...{ id, number: 1, type, at, data },
})
const day = notice('day', { signUps: 2, sources: [['hn', 1]] })
const stopped = notice('stopped', { alarm: 'announcement', answer: '550 no' }, 'alarm.began')
const milestone = notice(
  'milestone',
  { number: 10, sources: [], answer: '' },
  'subscribers.reached',
)
const signedUp = notice('signed-up', {
  signUps: 1,
  addresses: ['ada@example.com'],
  moreAddresses: 0,
})

it('what others wrote is in the first two tries, and in none of the later ones', () => {
  const message = { id: 'm', notices: [day, stopped, milestone, signedUp] }
  for (const tries of [0, 1]) expect(asSentAfter(tries, message)).toBe(message)
  for (const tries of [2, 9])
    expect(asSentAfter(tries, message)).toEqual({
      id: 'm',
      notices: [
        { ...day, data: { signUps: 2, isShortened: true } },
        { ...stopped, data: { alarm: 'announcement', isShortened: true } },
        milestone,
        { ...signedUp, data: { signUps: 1, isShortened: true } },
      ],
    })
  const ours = { id: 'm', notices: [milestone] }
  expect(asSentAfter(2, ours)).toEqual(ours)
})

it('an answer ends a place, and asks for a wait, only where it is about our own words', () => {
  const gone = { kind: 'failed', failure: '410', isGone: true } as const
  const later = { kind: 'failed', failure: '429', waitMs: 5 } as const
  const ours = { id: 'm', notices: [milestone] }
  for (const answer of [gone, later]) {
    expect(meaningOf(answer, ours)).toBe(answer)
    for (const theirs of [
      { ...ours, notices: [day] },
      { ...ours, notices: [milestone, stopped] },
      { ...ours, notices: [signedUp] },
    ])
      expect(meaningOf(answer, theirs)).toEqual({
        ...{ kind: 'failed', failure: answer.failure, isGone: false, waitMs: undefined },
      })
  }
  const arrived = { kind: 'taken' } as const
  expect(meaningOf(arrived, { ...ours, notices: [signedUp] })).toBe(arrived)
})

it('a message says that something is left out, and one of a later version is said to be that', () => {
  const shortened = notice('day', { ...day.data, from: at, to: at, isShortened: true })
  expect(inWords(shortened, 'Bell').lines.at(-1)).toMatch(/^What others wrote is left out/)
  for (const later of [
    notice('one', { alarm: 'flood' }, 'alarm.began'),
    notice('two', { alarm: 'constructor' }, 'alarm.ended'),
    notice('three', {}, 'week.ended' as Notice['type']),
  ])
    expect(inWords(later, 'Bell').title).toBe('Bell: a notice of a later version')
})
