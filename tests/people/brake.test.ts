import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brake } from '../../src/people/brake.ts'
import type { LetterCounts } from '../../src/people/letter-counts.ts'

const now = new Date(Date.UTC(2026, 10, 23, 9))
const minutesAgo = (minutes: number) => new Date(now.getTime() - 60_000 * minutes)
const answers = (answered: number, unanswered: number) => ({ answered, unanswered })
const none = answers(0, 0)
const calm: LetterCounts = {
  network: none,
  domain: none,
  recent: undefined,
  hidden: 0,
  released: {},
}
const waitsFor = (counts: Partial<LetterCounts>, at = now, suspicion?: string) =>
  brake({ at, suspicion }, { ...calm, ...counts }, now)?.waitsFor

describe('a letter', () => {
  it('waits where ten of its network are unanswered, and answers make up for them', () => {
    expect(waitsFor({ network: answers(0, 9) })).toBeUndefined()
    expect(waitsFor({ network: answers(0, 10) })).toBe('network')
    expect(waitsFor({ network: answers(80, 89) })).toBeUndefined()
  })

  it('waits where ten at its domain are unanswered, but not of a network without any', () => {
    const domain = answers(0, 30)
    expect(waitsFor({ domain, network: answers(0, 1) })).toBe('domain')
    expect(waitsFor({ domain, network: none })).toBeUndefined()
    expect(waitsFor({ domain, network: answers(3, 0) })).toBeUndefined()
    expect(waitsFor({ domain, network: undefined })).toBe('domain')
  })

  it('waits where few of the last were answered, but not of a network without unanswered ones', () => {
    const recent = answers(39, 161)
    expect(waitsFor({ recent, network: answers(0, 1) })).toBe('share')
    expect(waitsFor({ recent: answers(40, 160), network: answers(0, 1) })).toBeUndefined()
    expect(waitsFor({ recent, network: none })).toBeUndefined()
  })

  it('waits for no share where no network is known: a flood would hold up everybody', () => {
    expect(waitsFor({ recent: answers(0, 200), network: undefined })).toBeUndefined()
  })

  it('of a program that filled the hidden field waits when ten such are unanswered', () => {
    const robot = 'too-quick, hidden-field'
    expect(waitsFor({ hidden: 9 }, now, robot)).toBeUndefined()
    expect(waitsFor({ hidden: 10 }, minutesAgo(60 * 24 * 13), robot)).toBe('hidden-field')
    expect(waitsFor({ hidden: 10 }, now, 'too-quick')).toBeUndefined()
  })

  it('leaves where it was released, and one that was asked for later does not', () => {
    const counts = { hidden: 10, network: answers(0, 99) }
    const released = { 'hidden-field': minutesAgo(5) }
    for (const [minutes, waits] of [
      [5, undefined],
      [4, 'hidden-field'],
    ] as const)
      expect(waitsFor({ ...counts, released }, minutesAgo(minutes), 'hidden-field')).toBe(waits)
    // What waits for another reason is not released with it.
    expect(waitsFor({ ...counts, released }, minutesAgo(5))).toBe('network')
  })

  it('waits an hour at most, whatever strangers did, and is looked at again before', () => {
    const count = fc.record({ answered: fc.nat(300), unanswered: fc.nat(300) })
    const counts = fc.record({
      network: fc.option(count, { nil: undefined }),
      domain: fc.option(count, { nil: undefined }),
      recent: count,
      hidden: fc.nat(300),
      released: fc.constant({}),
    })
    const suspicion = fc.constantFrom(undefined, 'too-quick', 'program, headers')
    fc.assert(
      fc.property(counts, suspicion, fc.nat(90), (found, suspicion, minutes) => {
        const at = minutesAgo(minutes)
        const held = brake({ at, suspicion }, found, now)
        if (minutes >= 60) return held === undefined
        const last = at.getTime() + 3_600_000
        return !held || (held.dueAt > now && held.dueAt.getTime() <= last)
      }),
    )
  })
})
