import { expect, it, onTestFinished, vi } from 'vitest'
import { bodyOf, feedPlace, type Receiver, type SentEvent } from '../../src/events/receiver.ts'
import { eventRounds } from '../../src/events/send-events.ts'
import type { Answer } from '../../src/queue/line.ts'
import { begun } from '../../src/queue/round.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'

const taken: Answer = { kind: 'taken' }
const isAway = (failure: string): Answer => ({ kind: 'failed', failure, isAway: true })

/** Events of a list in a file, a receiver that answers as the test says, and a clock that is set. */
function feed(people = 0) {
  const store = storeOnFile()
  const [sent, said]: [SentEvent[], string[]] = [[], []]
  let answer: (event: SentEvent) => Answer | Promise<Answer> = () => taken
  let now = Date.now()
  let closed = 0
  const receiver: Receiver = {
    label: 'hooks.example',
    async send(event) {
      sent.push(event)
      return answer(event)
    },
    close: () => {
      closed += 1
    },
  }
  const options = {
    events: store.events,
    receiver,
    types: ['subscribed', 'left', 'forgotten'] as const,
    place: 'a place',
    log: (message: string) => void said.push(message),
    now: () => new Date(now),
  }
  const { begin, round, nextPause } = eventRounds(options)
  return {
    store,
    sent,
    said,
    options,
    round,
    nextPause,
    closed: () => closed,
    async begin() {
      await begin()
      for (let n = 0; n < people; n += 1) await store.list.add(`person${n}@example.com`)
      // What was written just now is due.
      now = Date.now() + 1000
    },
    answers(as: typeof answer) {
      answer = as
    },
    pass: (ms: number) => {
      now += ms
    },
    /** How many were sent in a round. */
    async sends() {
      const before = sent.length
      await round()
      return sent.length - before
    },
  }
}

it('what happened before the feed is opened is not told, and all that follows is, once', async () => {
  const { begin, store, round, sent, nextPause, said } = feed(1)
  await store.list.add('early@example.com')
  expect(await round()).toBe(false)
  await begin()
  expect(await store.events.feed()).toMatchObject({ isOn: true, place: 'a place' })
  expect(await round()).toBe(true)
  expect(sent).toMatchObject([{ type: 'subscribed', email: 'person0@example.com' }])
  expect(await round()).toBe(false)
  expect(sent).toHaveLength(1)
  expect(nextPause()).toBe(1000)
  expect(said).toEqual([])
  // It is opened once: it costs a write.
  store.events.open = () => Promise.reject(new Error('opened again'))
  expect(await round()).toBe(false)
})

it('eight are sent at a time, with pauses while the receiver is away', async () => {
  const { begin, sends, answers, pass, said, nextPause } = feed(20)
  await begin()
  expect(await sends()).toBe(8)
  answers(() => isAway('503'))
  expect(await sends()).toBe(8)
  expect(said).toEqual([
    'Events cannot reach hooks.example (503). What is kept is sent again later.',
  ])
  // Those that were not tried yet.
  expect(await sends()).toBe(4)
  expect(said).toHaveLength(1)
  expect(nextPause()).toBe(4000)
  answers(() => taken)
  pass(24 * 3_600_000)
  expect(await sends()).toBe(8)
  expect(said.slice(1)).toEqual(['Events reach hooks.example again.'])
  expect(await sends()).toBe(4)
  expect(await sends()).toBe(0)
  expect(said).toHaveLength(2)
})

it.each(['503', '403', '429', '410', 'no answer within 20 s'])(
  'events of some that fail (%s) keep no other waiting, and no erasure',
  async (failure) => {
    const { begin, store, round, answers, pass, nextPause, sent } = feed()
    await begin()
    const failed = { kind: 'failed', failure, isAway: true, isGone: failure === '410' } as const
    answers(({ email }) => (email?.startsWith('poison') ? failed : taken))
    // Each comes in a millisecond of its own: those of the same one are sent in no certain order.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const add = async (name: string, number: number) => {
      for (let n = 0; n < number; n += 1) {
        vi.advanceTimersByTime(1)
        await store.list.add(`${name}${n}@example.com`)
      }
    }
    await add('first', 1)
    await round()
    await add('poison', 20)
    await add('between', 1)
    await add('poison-too', 20)
    await add('last', 1)
    await store.standings.forget('first0@example.com')
    pass(10_000)
    let passed = 0
    const waits: Record<string, number> = {}
    for (let turn = 0; turn < 20; turn += 1) {
      const before = sent.length
      const isMore = await round()
      for (const { type, email = type } of sent.slice(before)) waits[email] ??= passed
      const pause = isMore ? 0 : nextPause()
      pass(pause)
      passed += pause
    }
    expect(waits.forgotten).toBe(0)
    expect(waits['last0@example.com']).toBe(0)
    expect(waits['between0@example.com']).toBeLessThan(60_000)
    // Those that failed go on failing, each after its own wait.
    const tries = sent.filter(({ email }) => email === 'poison0@example.com').length
    expect([2, 3]).toContain(tries)
  },
)

it('an event that fails alone is said, and is no word about the receiver', async () => {
  const { begin, sends, answers, nextPause, store, said, pass } = feed(2)
  await begin()
  answers(() => isAway('503'))
  expect(await sends()).toBe(2)
  expect(nextPause()).toBe(1000)
  pass(60_000)
  expect(await sends()).toBe(2)
  expect(said).toEqual([
    'Events: one was not taken by hooks.example (503). What is kept is sent again later.',
  ])
  expect((await store.events.feed())?.awaySince).toBeUndefined()
})

it('what a process took is not sent by another for three minutes', async () => {
  const { begin, sends, store, options, pass } = feed(1)
  await begin()
  await store.events.claim(1, 180_000, options.now())
  const other = eventRounds({ ...options, receiver: { ...options.receiver } })
  expect(await other.round()).toBe(false)
  pass(180_000)
  expect(await sends()).toBe(1)
  // What it takes itself is leased for as long.
  const leases: number[] = []
  const claim = async (_limit: number, ms: number) => {
    leases.push(ms)
    return []
  }
  await eventRounds({ ...options, events: { ...store.events, claim } }).round()
  expect(leases).toEqual([180_000])
})

it('a fault is said by its name alone, and what is on its way is ended when all is closed', async () => {
  const { options, said, closed, begin, sent, answers } = feed(1)
  await begin()
  const under = Promise.withResolvers<Answer>()
  answers(() => under.promise)
  const running = await begun(eventRounds(options))
  await expect.poll(() => sent.length).toBe(1)
  const ended = running.close()
  expect(closed()).toBe(1)
  under.reject(new TypeError('ada@example.com'))
  await ended
  expect(said).toEqual(['Events cannot be sent: TypeError'])
})

it('a receiver is known by a keyed hash, another for each key and URL', () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const place = feedPlace(key, 'https://hooks.example/SECRET')
  expect(place).toMatch(/^[\w-]{22}$/)
  expect(feedPlace(key, 'https://hooks.example/SECRET')).toBe(place)
  expect(feedPlace(other, 'https://hooks.example/SECRET')).not.toBe(place)
  expect(feedPlace(key, 'https://hooks.example/OTHER')).not.toBe(place)
})

it('the body of an event has what is known, and nothing in place of the rest', () => {
  const event = { id: 'evt_x', type: 'answered', at: new Date(0) } as const
  expect(JSON.parse(bodyOf(event))).toEqual({
    id: 'evt_x',
    type: 'answered',
    timestamp: '1970-01-01T00:00:00.000Z',
    data: {},
  })
  const data = { person: 'p', email: 'ada@example.com', answer: 'Rye' }
  expect(JSON.parse(bodyOf({ ...event, ...data })).data).toEqual(data)
})
