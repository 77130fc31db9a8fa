import { describe, expect, it } from 'vitest'
import { afterMessage, nextMessage, type TakenMessage } from '../../src/notices/message.ts'
import type { Answer } from '../../src/queue/line.ts'
import type { Notice, PlaceState } from '../../src/store/notices.ts'

const start = Date.UTC(2026, 2, 1, 9)
const at = (ms: number) => new Date(start + ms)
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
const fresh: PlaceState = { since: start, toldTo: 0, tries: 0, dueAt: start }
const notice = (number: number): Notice => ({
  id: `evt_${number}`,
  number,
  type: 'subscribers.reached',
  at: at(0),
  data: {},
})
const taken = { kind: 'taken' } as const
const failed = { kind: 'failed', failure: '500' } as const

function take(place: PlaceState, waiting: readonly Notice[], now = at(0)) {
  const { place: changed, result } = nextMessage(place, waiting, now)
  if (!changed || !result) throw new Error('nothing is to be told')
  return { place: changed, message: result }
}

/** Whether nothing is sent. */
const isNone = (place: PlaceState, waiting: readonly Notice[], now: Date) =>
  nextMessage(place, waiting, now).result === undefined

/** The place after an answer that counted. */
function answered({ place, message }: ReturnType<typeof take>, answer: Answer, now = at(0)) {
  const { place: changed } = afterMessage(place, message, answer, now)
  if (!changed) throw new Error('the answer did not count')
  return changed
}

describe('the next message to a place', () => {
  it('is of all that waits, under one id', () => {
    const { message } = take(fresh, [notice(1), notice(2)])
    expect(message.notices.map(({ id }) => id)).toEqual(['evt_1', 'evt_2'])
    expect(message.id).toMatch(/^msg_[\w-]{22}$/)
    expect(take(fresh, [notice(7)]).message.id).toBe('evt_7')
  })

  it('has the same notices under the same id with every try, whatever has come since', () => {
    const first = take(fresh, [notice(1), notice(2)])
    const again = take(answered(first, failed), [notice(1), notice(2), notice(3)], at(MINUTE))
    const { id, notices } = first.message
    expect(again.message).toMatchObject({ id, notices, tries: 1 })
  })

  it('comes two minutes after the last one at the earliest', () => {
    const told = answered(take(fresh, [notice(1)]), taken)
    expect(isNone(told, [notice(2)], at(119 * SECOND))).toBe(true)
    expect(take(told, [notice(2)], at(120 * SECOND)).message.id).toBe('evt_2')
  })

  it('is the next one where all notices of this one were dropped meanwhile', () => {
    const first = take(fresh, [notice(1), notice(2)])
    expect(take(first.place, [notice(3)], at(HOUR)).message.id).toBe('evt_3')
  })

  it('is all that waits, of a place that says of one that it goes on for ever', () => {
    const hostile = take({ ...fresh, upTo: 9e15 }, [notice(1), notice(2)])
    expect(answered(hostile, taken).toldTo).toBe(2)
  })

  it('is none for a place that is gone', () => {
    const gone = answered(take(fresh, [notice(1)]), { ...failed, isGone: true })
    expect(gone).toMatchObject({ heldAt: start, failure: '500', toldTo: 0 })
    expect(isNone(gone, [notice(1)], at(100 * HOUR))).toBe(true)
  })
})

describe('after a message', () => {
  it('that arrived it is done with, also for whoever lost the place meanwhile', () => {
    const first = take(fresh, [notice(1)])
    const second = take(first.place, [notice(1)], at(4 * MINUTE))
    const end = afterMessage(second.place, first.message, taken, at(4 * MINUTE))
    expect(end).toMatchObject({ result: 'taken', place: { toldTo: 1 } })
    expect(end.place).not.toHaveProperty('upTo')
    const late = afterMessage(end.place ?? fresh, second.message, failed, at(5 * MINUTE))
    expect(late).toEqual({ result: 'not ours' })
  })

  it('a late answer says nothing of the one after it', () => {
    const first = take(fresh, [notice(1)])
    const next = take(answered(first, taken), [notice(2)], at(HOUR))
    for (const answer of [taken, failed])
      expect(afterMessage(next.place, first.message, answer, at(HOUR))).toEqual({
        result: 'not ours',
      })
  })

  it('that failed ten times over three days, it is given up, on record, and the next goes on', () => {
    let [place, now, first] = [fresh, 0, undefined as TakenMessage | undefined]
    const tries: number[] = []
    for (;;) {
      const next = take(place, [notice(1), notice(2)].slice(place.toldTo), at(now))
      first ??= next.message
      const { id, notices } = first
      expect(next.message).toMatchObject({ id, notices, tries: tries.length })
      tries.push(now)
      const end = afterMessage(next.place, next.message, failed, at(now))
      place = end.place ?? fresh
      if (end.result !== 'again') break
      now = (place.dueAt ?? start) - start
      expect(isNone(place, [notice(1)], at(now - 1))).toBe(true)
    }
    expect(tries).toHaveLength(10)
    expect(tries.at(-1)).toBeGreaterThan(75 * HOUR)
    expect(place).toMatchObject({
      toldTo: 2,
      givenUp: 1,
    })
    expect(take(place, [notice(3)], at(now + HOUR)).message.id).toBe('evt_3')
  })
})
