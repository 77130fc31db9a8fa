import { expect, it } from 'vitest'
import { webhooks } from '../../src/queue/retry-policy.ts'
import {
  afterTry,
  begunAgain,
  claimed,
  held,
  isBegun,
  isDue,
  type Line,
  lengthened,
} from '../../src/queue/waiting-line.ts'

const [SECOND, HOUR, DAY] = [1000, 3_600_000, 24 * 3_600_000]
const START = Date.UTC(2026, 2, 1, 9)
const LEASE = 180 * SECOND
const [one, two, three] = [{ id: 'one' }, { id: 'two' }, { id: 'three' }]
const fresh: Line = { items: [one, two], tries: 0, dueAt: START }
const failed = { kind: 'failed', failure: '503' } as const
const tried = (line: Line, lease: string, answer: Parameters<typeof afterTry>[2], now = START) =>
  afterTry(line, { id: 'one', lease }, answer, { ...webhooks, jitter: 0 }, now)

it('a line under way is nobody else’s until its lease ends, as where its process was killed', () => {
  const taken = claimed(fresh, LEASE, START)
  expect(isDue(fresh, START)).toBe(true)
  expect(isDue(taken, START + LEASE - 1)).toBe(false)
  expect(isDue(taken, START + LEASE)).toBe(true)
  expect(claimed(taken, LEASE, START + LEASE).lease).not.toBe(taken.lease)
})

it('what was taken is done with, from whichever process, and the next is due at once', () => {
  const taken = claimed({ ...fresh, tries: 3, triedAt: 5, failure: '503' }, LEASE, START)
  for (const lease of [taken.lease, 'another'])
    expect(tried(taken, lease, { kind: 'taken' })).toEqual({
      end: 'taken',
      line: { ...fresh, items: [two] },
    })
})

it('what may have arrived makes room for nothing, until it is done with', () => {
  const taken = claimed(fresh, LEASE, START)
  const { line } = tried(taken, taken.lease, failed)
  expect([fresh, taken, line, begunAgain(line, START)].map(isBegun)).toEqual([
    ...[false, true, true, true],
  ])
  expect(lengthened(line, [three], 2).items).toEqual([one, three])
  expect(isBegun(tried(taken, taken.lease, { kind: 'taken' }).line)).toBe(false)
  expect(isDue({ ...fresh, items: [] }, START)).toBe(false)
})

it('an answer says nothing of what came after, and frees what nothing is on its way of', () => {
  const taken = claimed(fresh, LEASE, START)
  const sent = { id: 'one', lease: taken.lease }
  const after = (line: Line) => afterTry(line, sent, { kind: 'taken' }, webhooks, START)
  const erased = { ...taken, items: [three] }
  expect(after(erased)).toMatchObject({ end: 'not ours', line: { ...fresh, items: [three] } })
  const others = { ...erased, lease: 'another' }
  expect(after(others)).toEqual({ end: 'not ours', line: others })
})

it('a failure, and a stop, count only from the process whose lease it is', () => {
  const { lease, ...rest } = claimed(fresh, LEASE, START)
  const taken = { ...rest, lease }
  for (const answer of [failed, { kind: 'stopped' } as const])
    expect(tried(taken, 'another', answer)).toEqual({ end: 'not ours', line: taken })
  expect(tried(taken, lease, failed)).toEqual({
    end: 'again',
    line: {
      ...{ items: fresh.items, tries: 1, triedAt: START, failure: '503', lease },
      dueAt: START + 5 * SECOND,
    },
  })
})

it('a failed one waits as long as the receiver asks, if that is longer', () => {
  const taken = claimed(fresh, LEASE, START)
  const waits = (waitMs: number) =>
    Number(tried(taken, taken.lease, { ...failed, waitMs }).line.dueAt) - START
  expect([waits(SECOND), waits(HOUR)]).toEqual([5 * SECOND, HOUR])
})

it('what was stopped is free at once, and nothing failed', () => {
  const taken = claimed(fresh, LEASE, START)
  const later = START + SECOND
  expect(tried(taken, taken.lease, { kind: 'stopped' }, later)).toEqual({
    end: 'stopped',
    line: { ...fresh, lease: taken.lease, dueAt: later },
  })
})

it('it is over after so many tries, or so long after the first that failed', () => {
  const taken = claimed({ ...fresh, tries: 4, triedAt: START }, LEASE, START)
  const end = (more: object, now: number) =>
    afterTry(taken, { id: 'one', lease: taken.lease }, failed, { ...webhooks, ...more }, now).end
  expect([end({ tries: 6 }, START), end({ tries: 5 }, START)]).toEqual(['again', 'over'])
  expect([end({ forMs: DAY }, START + DAY - 1), end({ forMs: DAY }, START + DAY)]).toEqual([
    ...['again', 'over'],
  ])
})

it('what is held is due never, until it is begun again as if it had never failed', () => {
  const line = held({ ...fresh, tries: 4, triedAt: START, failure: '410' }, START)
  expect(isDue(line, START + 1000 * DAY)).toBe(false)
  expect(begunAgain(line, START + DAY)).toEqual({ ...fresh, dueAt: START + DAY })
  // What is on its way stays so.
  const taken = claimed(fresh, LEASE, START)
  expect(begunAgain(taken, START + SECOND)).toEqual(taken)
})

it('nothing is kept back for years by a clock that was put back', () => {
  const later = START + 1800 * DAY
  const taken = claimed({ ...fresh, dueAt: later }, LEASE, later)
  const again = tried(taken, taken.lease, failed, later).line
  for (const line of [taken, again]) expect(isDue(line, START)).toBe(true)
  expect(isDue(again, later)).toBe(false)
  expect(begunAgain(taken, START + HOUR).dueAt).toBe(START + HOUR)
})
