import { expect, it } from 'vitest'
import { type Answer, claimed, isDue } from '../../src/queue/waiting-line.ts'
import {
  MOST_NOTICES,
  type Notice,
  type PlaceState,
  placeLines,
  withNotice,
} from '../../src/store/notices.ts'

const start = Date.UTC(2026, 2, 1, 9)
const [SECOND, HOUR, DAY] = [1000, 3_600_000, 24 * 3_600_000]
const notice = (id: string, at = start): Notice => ({
  ...{ id: `evt_${id}`, type: 'day.ended', at: new Date(at), data: {} },
})
const fresh: PlaceState = { since: start, items: [], tries: 0, dueAt: start }
const [one, two, three] = ['1', '2', '3'].map((id) => notice(id)) as [Notice, Notice, Notice]
const waiting = [one, two].reduce(withNotice, fresh)
const taken = { kind: 'taken' } as const
const failed = { kind: 'failed', failure: '500' } as const

function tried(place: PlaceState, answer: Answer, now = start) {
  const sent = claimed(place, 180_000, now)
  const { id = '', notices = [] } = sent.items[0] ?? {}
  const { end, line } = placeLines.after(sent, { id, lease: sent.lease }, answer, now)
  return { id, notices, tries: place.tries, end, place: line }
}

it('the next message to a place comes two minutes after the last one at the earliest', () => {
  const { id, notices, place } = tried(waiting, taken)
  expect(id).toMatch(/^msg_[\w-]{22}$/)
  expect(notices).toEqual([one, two])
  const next = withNotice(place, three)
  expect([119, 120].map((s) => isDue(next, start + s * SECOND))).toEqual([false, true])
  expect(tried(next, taken, start + HOUR).id).toBe(three.id)
})

it('is none for a place that is gone, where all that waited stays', () => {
  const { place, end } = tried(waiting, { ...failed, isGone: true })
  expect(end).toBe('gone')
  expect(place).toMatchObject({ heldAt: start, failure: '500', items: [{ notices: [one, two] }] })
  expect(isDue(place, start + 100 * HOUR)).toBe(false)
})

it('that failed ten times over three days is given up, on record, and the next goes on', () => {
  let [place, now] = [waiting, start]
  const tries: number[] = []
  for (;;) {
    const { place: after, ...message } = tried(place, failed, now)
    expect(message).toMatchObject({ notices: [one, two], tries: tries.length })
    tries.push(now - start)
    place = tries.length === 1 ? withNotice(after, three) : after
    if (message.end !== 'again') break
    expect(isDue(place, Number(place.dueAt) - 1)).toBe(false)
    now = Number(place.dueAt)
  }
  expect(tries).toHaveLength(10)
  expect(tries.at(-1)).toBeGreaterThan(75 * HOUR)
  expect(place).toMatchObject({ items: [{ notices: [three] }], givenUp: 1, tries: 0, lastAt: now })
  expect(tried(place, taken, now + HOUR).id).toBe(three.id)
})

it('stays the same from its first try on, whatever comes, and waits for ninety days', () => {
  const { id, place } = tried(waiting, { kind: 'stopped' })
  const more = withNotice(withNotice(place, three), notice('4'))
  expect(more.items.map(({ notices }) => notices.length)).toEqual([2, 2])
  expect(tried(more, failed).id).toBe(id)
  const later = withNotice(more, notice('5', start + 91 * DAY))
  expect(later.items).toMatchObject([{ id: 'evt_5' }])
})

it('has a bounded number of notices, and the oldest messages make room, on record', () => {
  let place = claimed(waiting, 180_000, start) as PlaceState
  for (let i = 0; i < 2 * MOST_NOTICES + 1; i += 1) place = withNotice(place, notice(`n${i}`))
  expect(place.items.map(({ notices }) => notices.length)).toEqual([2, MOST_NOTICES, 1])
  expect(place.givenUp).toBe(1)
  expect(place.items.at(-1)).toMatchObject({ id: `evt_n${2 * MOST_NOTICES}` })
})

it('that cannot be read is given up, on record, and counted once', () => {
  const place = withNotice(fresh, notice('1'.repeat(22)))
  const items = [...place.items, { notices: 'of a later version' }]
  const read = placeLines.read(JSON.stringify({ ...place, items, givenUp: 1 }))
  expect(read).toEqual({ ...place, givenUp: 2 })
  expect(placeLines.read(JSON.stringify(read))).toEqual(read)
})
