import { describe, expect, it } from 'vitest'
import { afterTurn, nextTurn, type Turn } from '../../src/notices/turn.ts'
import { waitAfter, waits } from '../../src/shared/webhook-retries.ts'
import type { Notice, PlaceState } from '../../src/store/notices.ts'

const start = Date.UTC(2026, 2, 1, 9)
const at = (ms: number) => new Date(start + ms)
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
const fresh: PlaceState = { since: start, toldTo: 0 }
const notice = (number: number): Notice => ({
  id: `evt_${number}`,
  number,
  type: 'subscribers.reached',
  at: at(0),
  data: {},
})
const failed = { kind: 'failed', answer: '500' } as const

function taken(place: PlaceState, waiting: readonly Notice[], holder = 'one', now = at(0)) {
  const { place: changed, result } = nextTurn(place, waiting, holder, now)
  if (!changed || !result) throw new Error('nothing is to be told')
  return { place: changed, turn: result }
}

describe('the next turn of a place', () => {
  it('is a message of all that waits, under one id', () => {
    const { turn } = taken(fresh, [notice(1), notice(2)])
    expect(turn.notices.map(({ id }) => id)).toEqual(['evt_1', 'evt_2'])
    expect(turn.id).toMatch(/^msg_[\w-]{22}$/)
    expect(taken(fresh, [notice(7)]).turn.id).toBe('evt_7')
  })

  it('has the same notices under the same id with every try, whatever has come since', () => {
    const first = taken(fresh, [notice(1), notice(2)])
    const { place = fresh } = afterTurn(first.place, first.turn, failed, 'one', at(0))
    const again = taken(place, [notice(1), notice(2), notice(3)], 'two', at(MINUTE))
    expect(again.turn).toEqual({ ...first.turn, tries: 1 })
  })

  it('is nobody else’s while it is under way, and theirs when its holder was killed', () => {
    const { place, turn } = taken(fresh, [notice(1)])
    expect(nextTurn(place, [notice(1)], 'two', at(2 * MINUTE)).result).toBeUndefined()
    expect(taken(place, [notice(1)], 'two', at(4 * MINUTE)).turn).toEqual(turn)
  })

  it('comes two minutes after the last message at the earliest', () => {
    const { place, turn } = taken(fresh, [notice(1)])
    const told = afterTurn(place, turn, { kind: 'arrived' }, 'one', at(0)).place ?? fresh
    expect(nextTurn(told, [notice(2)], 'one', at(119 * SECOND)).result).toBeUndefined()
    expect(taken(told, [notice(2)], 'one', at(120 * SECOND)).turn.id).toBe('evt_2')
  })

  it('is not kept back for years by a clock that was put back', () => {
    const later = 5 * 365 * 24 * HOUR
    const { place, turn } = taken(fresh, [notice(1)], 'one', at(later))
    expect(taken(place, [notice(1)], 'two', at(0)).turn).toEqual(turn)
    const again = afterTurn(place, turn, failed, 'one', at(later)).place ?? fresh
    expect(taken(again, [notice(1)], 'two', at(0)).turn).toEqual({ ...turn, tries: 1 })
    const told = afterTurn(place, turn, { kind: 'arrived' }, 'one', at(later)).place ?? fresh
    expect(taken(told, [notice(2)], 'two', at(0)).turn.id).toBe('evt_2')
  })

  it('is the next message where all notices of this one were dropped meanwhile', () => {
    const first = taken(fresh, [notice(1), notice(2)])
    const { place, result } = nextTurn(first.place, [notice(3)], 'two', at(HOUR))
    expect([place?.toldTo, place?.message, result]).toEqual([2, undefined, undefined])
    expect(taken(place ?? fresh, [notice(3)], 'two', at(2 * HOUR)).turn.id).toBe('evt_3')
  })

  it('is none for a place that is gone', () => {
    const { place, turn } = taken(fresh, [notice(1)])
    const gone = afterTurn(place, turn, { kind: 'gone', answer: '410' }, 'one', at(0)).place
    expect(gone).toMatchObject({ goneAt: start, failure: '410', toldTo: 0 })
    expect(nextTurn(gone ?? fresh, [notice(1)], 'one', at(100 * HOUR)).result).toBeUndefined()
  })
})

describe('after a turn', () => {
  it('a message that arrived is done with, also for whoever lost the place meanwhile', () => {
    const first = taken(fresh, [notice(1)])
    const second = taken(first.place, [notice(1)], 'two', at(4 * MINUTE))
    const end = afterTurn(second.place, first.turn, { kind: 'arrived' }, 'one', at(4 * MINUTE))
    expect(end).toMatchObject({ result: 'arrived', place: { toldTo: 1 } })
    expect(end.place?.message).toBeUndefined()
    const late = afterTurn(end.place ?? fresh, second.turn, failed, 'two', at(5 * MINUTE))
    expect(late).toEqual({ result: 'not ours' })
  })

  it('a late answer says nothing of the message after it', () => {
    const first = taken(fresh, [notice(1)])
    const told = afterTurn(first.place, first.turn, { kind: 'arrived' }, 'two', at(0)).place
    const next = taken(told ?? fresh, [notice(2)], 'one', at(HOUR))
    for (const answer of [{ kind: 'arrived' } as const, failed])
      expect(afterTurn(next.place, first.turn, answer, 'one', at(HOUR))).toEqual({
        result: 'not ours',
      })
  })

  it('a failure counts for whoever holds the place alone', () => {
    const first = taken(fresh, [notice(1)])
    const second = taken(first.place, [notice(1)], 'two', at(4 * MINUTE))
    expect(afterTurn(second.place, first.turn, failed, 'one', at(0))).toEqual({
      result: 'not ours',
    })
  })

  it('that was stopped, the place is free at once, and nothing failed', () => {
    const first = taken(fresh, [notice(1)])
    const end = afterTurn(first.place, first.turn, { kind: 'stopped' }, 'one', at(0))
    expect(end).toMatchObject({ result: 'stopped', place: { message: { tries: 0 } } })
    expect(taken(end.place ?? fresh, [notice(1)], 'two', at(1)).turn).toEqual(first.turn)
  })

  it('that failed ten times over three days, it is given up, on record, and the next goes on', () => {
    let [place, now, turn] = [fresh, 0, undefined as Turn | undefined]
    const tries: number[] = []
    for (;;) {
      const next = taken(place, [notice(1), notice(2)].slice(place.toldTo), 'one', at(now))
      turn ??= next.turn
      expect(next.turn).toEqual({ ...turn, tries: tries.length })
      tries.push(now)
      const end = afterTurn(next.place, next.turn, failed, 'one', at(now))
      place = end.place ?? fresh
      if (end.result !== 'again') break
      now = (place.message?.dueAt ?? start) - start
      expect(nextTurn(place, [notice(1)], 'one', at(now - 1)).result).toBeUndefined()
    }
    expect(tries).toHaveLength(10)
    expect(tries.at(-1)).toBeGreaterThan(75 * HOUR)
    expect(place).toMatchObject({
      toldTo: 2,
      givenUp: [{ id: turn?.id, notices: 2, answer: '500', at: start + now }],
    })
    expect(taken(place, [notice(3)], 'one', at(now + HOUR)).turn.id).toBe('evt_3')
  })
})

describe('the wait after a failed try', () => {
  it('is as Standard Webhooks has it, and a little longer by chance', () => {
    expect(waits.map((wait) => wait / SECOND)).toEqual([
      5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ])
    for (const [i, wait] of waits.entries()) {
      expect(waitAfter(i + 1, 0, () => 0)).toBe(wait)
      expect(waitAfter(i + 1, 0, () => 1)).toBeLessThanOrEqual(wait * 1.1 + 1)
    }
    expect(waitAfter(10)).toBeUndefined()
  })

  it('is what the place asks for, a day at most', () => {
    expect(waitAfter(1, 10 * MINUTE, () => 0)).toBe(10 * MINUTE)
    expect(waitAfter(3, 10 * MINUTE, () => 0)).toBe(30 * MINUTE)
    expect(waitAfter(1, 365 * 24 * HOUR)).toBe(24 * HOUR)
  })
})
