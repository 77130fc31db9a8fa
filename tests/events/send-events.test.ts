import { expect, it, onTestFinished, vi } from 'vitest'
import { bodyOf, feedPlace, type Receiver, type SentEvent } from '../../src/events/receiver.ts'
import { eventRounds } from '../../src/events/send-events.ts'
import { begun } from '../../src/queue/sending-round.ts'
import type { Answer } from '../../src/queue/waiting-line.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'

const taken: Answer = { kind: 'taken' }

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
