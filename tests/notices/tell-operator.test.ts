/** @module-tag thorough */
import { renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { heardNothing } from '../../src/audience/heard-nothing.ts'
import { lastEndedDay } from '../../src/notices/end-of-day.ts'
import { inWords } from '../../src/notices/words.ts'
import { backupState } from '../../src/store/backup-state.ts'
import { withCopy, withRehearsal } from '../../src/store/backups.ts'
import { noVisits } from '../../src/store/visits.ts'
import { type Answering, answering, noticesIn, startReceiver, takes } from '../fixtures/receiver.ts'
import { DAY, HOUR, MINUTE, openFile, pass, teller, virtualClock } from './stage.ts'

const numbers = (told: readonly { readonly data: Readonly<Record<string, unknown>> }[]) =>
  told.map(({ data }) => data.number)
const types = (told: readonly { readonly type: string }[]) => told.map(({ type }) => type)
const down = answering(503)

async function signUp(store: ReturnType<typeof openFile>['store'], from: number, to: number) {
  const emails = Array.from({ length: to - from }, (_, i) => `visitor${from + i}@example.com`)
  await Promise.all(emails.map((email) => store.list.add(email)))
}

describe('an operator', () => {
  it('gets at most two messages when ten thousand sign up in a minute', async () => {
    const { store } = openFile()
    const [clock, receiver] = [virtualClock(), await startReceiver()]
    const telling = teller({ store, clock, urls: [receiver.url] })
    await telling.begin()
    for (let second = 0; second < 60; second++) {
      await signUp(
        store,
        Math.floor((second * 10_000) / 60),
        Math.floor(((second + 1) * 10_000) / 60),
      )
      clock.goOn(1000)
      await telling.round()
    }
    await pass(clock, HOUR, telling)
    expect(receiver.requests.length).toBeLessThanOrEqual(2)
    expect(numbers(receiver.told())).toEqual([1, 10, 100, 1000, 10_000])
  })

  it('is told of everything once by its id and in order, though nobody listened for a day and the server was killed three times', async () => {
    const { file, store } = openFile()
    let answer: Answering = down
    const [clock, receiver] = [virtualClock(), await startReceiver(() => answer)]
    let [life, telling] = [store, teller({ store, clock, urls: [receiver.url] })]
    await telling.begin()
    let people = 0
    for (const grown of [1, 10, 100]) {
      await signUp(life, people, grown)
      people = grown
      await pass(clock, 4 * HOUR, telling, 20 * MINUTE)
      // Killed in the middle of sending: nobody ever hears what came of it.
      answer = () => {}
      const before = receiver.requests.length
      const killed = pass(clock, 12 * HOUR, telling, 20 * MINUTE)
      await expect.poll(() => receiver.requests.length).toBeGreaterThan(before)
      void killed.catch(() => {})
      answer = down
      life = openFile(file).store
      telling = teller({ store: life, clock, urls: [receiver.url] })
      await telling.begin()
    }
    await pass(clock, 6 * HOUR, telling, 20 * MINUTE)
    expect(receiver.told()).toEqual([])
    answer = takes
    await signUp(life, people, 1000)
    await pass(clock, DAY, telling, 20 * MINUTE)
    expect(numbers(receiver.told())).toEqual([1, 10, 100, 1000])
    const ids = receiver.taken().flatMap((request) => noticesIn(request).map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    // The message that nobody took had the same id and the same notices with every try.
    const tries = Map.groupBy(receiver.requests, ({ headers }) => headers['webhook-id'])
    for (const of of tries.values()) expect(new Set(of.map(({ body }) => body)).size).toBe(1)
  })

  it('is told once, though two servers serve one list', async () => {
    const { file, store } = openFile()
    const [clock, receiver] = [virtualClock(), await startReceiver()]
    const other = openFile(file).store
    const both = [store, other].map((one) => teller({ store: one, clock, urls: [receiver.url] }))
    for (const one of both) await one.begin()
    for (let i = 0; i < 100; i += 10) {
      await signUp(store, i, i + 5)
      await signUp(other, i + 5, i + 10)
      clock.goOn(MINUTE)
      await Promise.all(both.map((one) => one.round()))
    }
    clock.goOn(HOUR)
    await Promise.all(both.map((one) => one.round()))
    expect(numbers(receiver.taken().flatMap(noticesIn))).toEqual([1, 10, 100])
  })

  it('need not wait when a server is ended while a receiver keeps it waiting', async () => {
    const { file, store } = openFile()
    let answer: Answering = () => {}
    const [clock, receiver] = [virtualClock(), await startReceiver(() => answer)]
    const first = teller({ store, clock, urls: [receiver.url] })
    await first.begin()
    await signUp(store, 0, 1)
    const round = first.round()
    await expect.poll(() => receiver.requests.length).toBe(1)
    first.stop()
    await round
    answer = takes
    const next = teller({ store: openFile(file).store, clock, urls: [receiver.url] })
    await next.begin()
    await next.round()
    expect(numbers(receiver.told())).toEqual([1])
  })

  it('is told at each place, whatever the others do', async () => {
    const { store } = openFile()
    const clock = virtualClock()
    const [one, other] = [await startReceiver(), await startReceiver(() => down)]
    const telling = teller({ store, clock, urls: [one.url, other.url] })
    await telling.begin()
    await signUp(store, 0, 1)
    await telling.round()
    await signUp(store, 1, 10)
    await pass(clock, 4 * MINUTE, telling)
    expect(numbers(one.told())).toEqual([1, 10])
    expect(other.told()).toEqual([])
    expect(telling.said).toEqual([
      expect.stringMatching(/^Notices cannot reach 127.0.0.1:\d+ \(503\)/),
    ])
  })
})

describe('a place', () => {
  it('that is gone gets nothing more, and the log says so once and loudly', async () => {
    const { store } = openFile()
    const [clock, receiver] = [virtualClock(), await startReceiver(() => answering(410))]
    const telling = teller({ store, clock, urls: [receiver.url] })
    await telling.begin()
    await signUp(store, 0, 1)
    await pass(clock, 10 * MINUTE, telling)
    await signUp(store, 1, 100)
    await pass(clock, 10 * DAY, telling, HOUR)
    expect(receiver.requests).toHaveLength(1)
    expect(telling.said).toEqual([expect.stringContaining('takes no notices any more (410)')])
  })

  it('that takes nothing for three days has it given up, loudly and on record, and gets the next', async () => {
    const { store } = openFile()
    let answer = down
    const [clock, receiver] = [virtualClock(), await startReceiver(() => answer)]
    const telling = teller({ store, clock, urls: [receiver.url] })
    await telling.begin()
    await signUp(store, 0, 1)
    await pass(clock, 4 * DAY, telling, 20 * MINUTE)
    expect(receiver.requests).toHaveLength(10)
    expect(telling.said.at(-1)).toMatch(/^GIVEN UP: 1 of the notices/)
    answer = takes
    await signUp(store, 1, 10)
    await pass(clock, HOUR, telling)
    expect(numbers(receiver.told())).toEqual([10])
  })
})

describe('a day', () => {
  const nine = { hour: 9, minute: 0 }

  it('is summed up once, whatever is started anew and however many servers there are', async () => {
    const { file, store } = openFile()
    const [clock, receiver] = [virtualClock(), await startReceiver()]
    const start = (one = store) =>
      teller({ store: one, clock, urls: [receiver.url], dayEndsAt: nine })
    const [first, other] = [start(), start(openFile(file).store)]
    await first.begin()
    await signUp(store, 0, 3)
    for (let day = 0; day < 3; day++) {
      await pass(
        clock,
        DAY,
        { round: () => Promise.all([first, other].map((one) => one.round())) },
        HOUR,
      )
      const again = start(openFile(file).store)
      await again.begin()
      await again.round()
    }
    const days = receiver.told().filter(({ type }) => type === 'day.ended')
    expect(days).toHaveLength(3)
    expect(new Set(days.map(({ data }) => data.day)).size).toBe(3)
    for (const [i, { data }] of days.entries())
      if (i > 0) expect(data.from).toBe(days[i - 1]?.data.to)
    expect(receiver.taken().flatMap(noticesIn)).toHaveLength(receiver.told().length)
  })

  it('has sign-ups and visits, and nothing that a stranger wrote', async () => {
    const { store } = openFile()
    const [clock, receiver] = [virtualClock(), await startReceiver()]
    const telling = teller({ store, clock, urls: [receiver.url], dayEndsAt: nine })
    await telling.begin()
    await store.list.add('ada@example.com', { source: { source: 'hacker-news' } })
    await store.list.add('bob@example.com')
    await store.list.add('robot@example.com', { suspicion: 'too-quick' })
    const hour = new Date(Math.floor(Date.now() / HOUR) * HOUR)
    await store.visits.add([{ hour, counts: { ...noVisits(), first: 8 }, names: [] }])
    // When the day is over, the next one has begun.
    const { to } = lastEndedDay(new Date(clock.now().getTime() + DAY), nine)
    await store.visits.add([{ hour: to, counts: { ...noVisits(), first: 99 }, names: [] }])
    await pass(clock, DAY, telling, HOUR)
    const day = receiver.told().find(({ type }) => type === 'day.ended')
    expect(day?.data).toMatchObject({
      signUps: 2,
      subscribers: 2,
      quarantined: 1,
      visits: 8,
    })
    expect(receiver.requests.map(({ body }) => body).join()).not.toMatch(
      /@example\.com|hacker-news/,
    )
  })

  it('has how many have heard nothing, where somebody has', async () => {
    const { store } = openFile()
    const [clock, receiver] = [virtualClock(), await startReceiver()]
    const silence = (now: Date) => heardNothing(store, now)
    const told = { store, clock, urls: [receiver.url], dayEndsAt: nine, silence }
    const telling = teller(told)
    await telling.begin()
    await store.list.add('ada@example.com')
    const days = () => receiver.told().filter(({ type }) => type === 'day.ended')
    await pass(clock, DAY, telling, HOUR)
    expect(days()).toHaveLength(1)
    expect(days()[0]?.data).not.toHaveProperty('heardNothing')
    const since = new Date(clock.now().getTime() - 61 * DAY).toISOString()
    await store.list.importAll([{ email: 'bob@example.com', subscribedAt: new Date(since) }])
    await pass(clock, DAY, telling, HOUR)
    expect(days()[1]?.data).toMatchObject({ heardNothing: { people: 1, since } })
    const notice = { id: 'a', number: 1, type: 'day.ended', at: clock.now() } as const
    const { lines } = inWords({ ...notice, data: days()[1]?.data ?? {} }, 'Meridian')
    expect(lines.join('\n')).toContain(
      `For 1 person, the last sign-up or letter from here was 60 days ago or longer, the longest since ${since.slice(0, 10)}.`,
    )
  })

  it('has when the last back-up was made, and when one was last restored and found whole', async () => {
    const { store } = openFile()
    const [clock, receiver] = [virtualClock(), await startReceiver()]
    const backups = { state: (now: Date) => backupState(store.backups, now) }
    const telling = teller({ store, clock, urls: [receiver.url], backups, dayEndsAt: nine })
    const backedUp = () => {
      const copy = { folder: '/copies', name: 'x', bytes: 1, keep: '7,4,12', at: clock.now() }
      return store.backups.change((record) => withCopy(record, copy))
    }
    await backedUp()
    await telling.begin()
    const tested = (fault?: string) =>
      store.backups.change((record) => withRehearsal(record, clock.now(), fault))
    const made = clock.now()
    await pass(clock, DAY, telling, HOUR)
    await tested()
    const whole = clock.now()
    await backedUp()
    await pass(clock, DAY, telling, HOUR)
    await tested('x')
    const failed = clock.now().toISOString()
    await pass(clock, DAY, telling, HOUR)
    const days = receiver.told().filter(({ type }) => type === 'day.ended')
    const second = { lastBackup: whole.toISOString(), lastRehearsal: whole.toISOString() }
    expect(days.map(({ data }) => data.backups)).toEqual([
      { lastBackup: made.toISOString(), lastRehearsal: null },
      second,
      { ...second, rehearsalFailed: failed },
    ])
    // Where the copies are is nobody's business elsewhere.
    expect(receiver.requests.map(({ body }) => body).join()).not.toContain('/copies')
  })
})

describe('an alarm', () => {
  it('is told when the store is away, from memory, and once more when it is back', async () => {
    const { file, store } = openFile()
    const [clock, receiver] = [virtualClock(), await startReceiver()]
    const folder = dirname(file)
    let isAway = false
    const be = (away: boolean) => {
      if (away !== isAway) renameSync(away ? folder : `${folder}.x`, away ? `${folder}.x` : folder)
      isAway = away
    }
    onTestFinished(() => be(false))
    const telling = teller({ store, clock, urls: [receiver.url] })
    const round = () => telling.round().catch(() => {})
    await telling.begin()
    await round()
    be(true)
    await pass(clock, 30 * MINUTE, { round })
    expect(types(receiver.told())).toEqual(['alarm.began'])
    be(false)
    await pass(clock, 30 * MINUTE, { round })
    expect(receiver.told()).toMatchObject([
      { type: 'alarm.began', data: { alarm: 'store' } },
      { type: 'alarm.ended', data: { alarm: 'store' } },
    ])
    // Away for a moment every minute, it is no alarm at all.
    for (let minute = 0; minute < 300; minute++) {
      be(minute % 2 === 0)
      clock.goOn(MINUTE)
      await round()
    }
    expect(receiver.taken()).toHaveLength(2)
  })
})
