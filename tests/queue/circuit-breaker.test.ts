import { describe, expect, it } from 'vitest'
import {
  type Answered,
  afterAnswers,
  type Circuit,
  isAwayFor,
  stateOf,
} from '../../src/queue/circuit-breaker.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('a receiver', () => {
  const opened: Circuit = { lastAt: 1 }
  const ended = (person: string, answer: unknown) => ({ person, answer }) as Answered
  const failed = { kind: 'failed', failure: '503', isAway: true }
  const fail = (circuit: Circuit, people: string, now: number, more = {}) =>
    afterAnswers(
      circuit,
      Array.from(people, (person) => ended(person, { ...failed, ...more })),
      now,
    )

  it('is away where it failed for three people, however often it did for one', () => {
    let circuit = fail(opened, 'a', 5)
    for (let now = 6; now < 100; now += 1) circuit = fail(circuit, 'ab', now)
    expect(circuit).toMatchObject({ failing: { since: 5, people: ['a', 'b'] }, failure: '503' })
    expect(stateOf(circuit)).toBe('failing')
    expect(circuit).not.toHaveProperty('awaySince')
    const away = fail(circuit, 'c', 100)
    expect([away.awaySince, stateOf(away)]).toEqual([5, 'away'])
    // However many there are, only the first are kept.
    expect(fail(circuit, 'cdefgh', 100).failing?.people).toEqual(['a', 'b', 'c'])
  })

  it('that one alone hears from is away once it failed', () => {
    const away = afterAnswers(opened, [ended('a', failed)], 5, 1)
    expect(away).toMatchObject({ awaySince: 5, failure: '503' })
  })

  it('is there as soon as it takes one, also among others that failed', () => {
    const both = [ended('d', failed), ended('e', { kind: 'taken' })]
    const back = afterAnswers(fail(opened, 'abc', 5), both, 9)
    expect(back).toEqual({ lastAt: 9 })
    expect(stateOf(back)).toBe('well')
  })

  it('is not away for what it refuses, or what was stopped', () => {
    const others = [{ ...failed, isAway: false }, { kind: 'stopped' }]
    const all = Array.from('abcd', (person, i) => ended(person, others[i % 2]))
    expect(afterAnswers(opened, all, 5)).toEqual(opened)
  })

  it('is away for a week only where it took nothing of several for so long', () => {
    const isAway = (circuit: Circuit, now: number) => isAwayFor(circuit, 7 * DAY_MS, now)
    expect(isAway(fail(fail(opened, 'a', 0), 'a', 7 * DAY_MS), 7 * DAY_MS)).toBe(false)
    const away = fail(opened, 'abc', 0)
    expect(isAway(fail(away, 'a', 7 * DAY_MS - 1), 7 * DAY_MS - 1)).toBe(false)
    expect(isAway(fail(away, 'a', 7 * DAY_MS), 7 * DAY_MS)).toBe(true)
  })

  it('is gone where nothing but 410 came for an hour, of several people', () => {
    const gone = { failure: '410', isGone: true }
    const notBefore = (circuit: Circuit, now: number, people = 'd') =>
      fail(circuit, people, now, gone).notBefore
    const away = fail(opened, 'abc', 0, gone)
    expect(away.notBefore).toBeUndefined()
    expect(notBefore(away, HOUR_MS - 1)).toBeUndefined()
    expect(notBefore(away, HOUR_MS)).toBe(HOUR_MS + DAY_MS)
    expect(notBefore(fail(opened, 'a', 0, gone), HOUR_MS, 'a')).toBeUndefined()
    expect(fail(away, 'd', HOUR_MS).notBefore).toBeUndefined()
  })
})
