import { describe, expect, it } from 'vitest'
import type { AlarmState, NewNotice } from '../../src/store/notices.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'
import { toldAt } from '../fixtures/told.ts'
import { people, person } from './contracts/people.ts'

const start = new Date('2026-03-01T09:00:00.000Z')
const HOUR = 3_600_000
const somewhere = 'webhook:somewhere'

describe('the store, of notices', () => {
  eachHasStore()

  const waiting = (place = somewhere) => toldAt(store, place)
  const told = async (place?: string) => (await waiting(place))?.map(({ data }) => data)
  const day = (key: string): NewNotice => ({
    key,
    type: 'day.ended',
    at: start,
    data: { of: key },
  })
  async function signUp(count: number, from = 0) {
    for (let i = from; i < count; i++) await store.list.add(`visitor${i}@example.com`)
    await store.notices.noteMilestones(new Date())
  }

  it('are none where nobody is told', async () => {
    await signUp(1)
    await store.notices.noteEvent(day('day:one'))
    await store.notices.changeAlarm('backup', () => ({ event: day('alarm') }))
    expect(await waiting()).toBeUndefined()
    await store.notices.open([somewhere], start)
    expect(await waiting()).toEqual([])
  })

  it('tell of the first who signs up and of each milestone, once', async () => {
    await store.notices.open([somewhere], start)
    await signUp(1)
    expect(await told()).toEqual([{ number: 1, subscribers: 1 }])
    await signUp(11)
    await store.notices.noteMilestones(new Date())
    await signUp(11)
    expect(await told()).toEqual([
      { number: 1, subscribers: 1 },
      { number: 10, subscribers: expect.any(Number) },
    ])
  })

  it('tell of no milestone for repeats, for robots, or because somebody opened again', async () => {
    await store.notices.open([somewhere], start)
    await signUp(9)
    for (let i = 0; i < 3; i++) {
      await store.list.add('visitor0@example.com')
      await store.list.add(`robot${i}@example.com`, { suspicion: 'too-quick' })
    }
    await store.notices.noteMilestones(new Date())
    const first = await waiting()
    await store.notices.open([somewhere], new Date(Date.now() + HOUR))
    expect(await waiting()).toEqual(first)
    expect(await told()).toEqual([{ number: 1, subscribers: expect.any(Number) }])
    // A count in vain, of robots, is not repeated at once.
    await expect
      .poll(async () => {
        await signUp(10, 9)
        return told()
      })
      .toHaveLength(2)
  })

  it('tell of a milestone that another process reached, or that was reached again', async () => {
    await store.notices.open([somewhere], start)
    await store.list.importAll(people(9))
    for (const n of [1, 2, 3]) await store.standings.forget(person(n).email)
    await signUp(1)
    expect(await told()).toHaveLength(1)
    await signUp(4)
    expect(await told()).toMatchObject([{ number: 1 }, { number: 10 }])
  })

  it('tell a new place of nothing that was before it', async () => {
    await store.notices.open([somewhere], start)
    await signUp(1)
    const later = new Date(start.getTime() + HOUR)
    expect(await store.notices.open([somewhere, 'mail:other'], later)).toEqual(start)
    expect(await waiting('mail:other')).toEqual([])
    await store.notices.noteEvent(day('day:one'))
    expect(await told()).toEqual([{ number: 1, subscribers: 1 }, { of: 'day:one' }])
    expect(await told('mail:other')).toEqual([{ of: 'day:one' }])
  })

  it('have one id for ever, whoever notes them', async () => {
    await store.notices.open([somewhere, 'mail:other'], start)
    await Promise.all([1, 2, 3].map(() => store.notices.noteEvent(day('day:one'))))
    const first = await waiting()
    expect(first).toEqual([
      { ...day('day:one'), key: undefined, id: expect.stringMatching(/^evt_[\w-]{22}$/) },
    ])
    expect(await waiting('mail:other')).toEqual(first)
    await store.notices.noteEvent(day('day:two'))
    const [one, two] = (await waiting()) ?? []
    expect(one).toEqual(first?.[0])
    expect(two?.id).not.toBe(one?.id)
    // The clock is set back, or the hour at which a day ends is another.
    await store.notices.noteEvent(day('day:one'))
    expect(await waiting()).toHaveLength(2)
  })

  it('wait until a place was told of them, each place by itself, and one message at a time', async () => {
    await store.notices.open([somewhere, 'mail:other'], start)
    for (const key of ['one', 'two']) await store.notices.noteEvent(day(key))
    const claim = (now: Date) => store.notices.claim(somewhere, HOUR, now)
    const all = await Promise.all(Array.from({ length: 5 }, () => claim(start)))
    const [message, ...more] = all.filter((one) => one !== undefined)
    if (!message) throw new Error('nobody got it')
    expect(more).toEqual([])
    expect(message.notices.map(({ data }) => data)).toEqual([{ of: 'one' }, { of: 'two' }])
    await store.notices.noteEvent(day('three'))
    expect(await store.notices.settle(somewhere, message, { kind: 'taken' }, start)).toBe('taken')
    expect(await told()).toEqual([{ of: 'three' }])
    expect(await told('mail:other')).toHaveLength(3)
    expect(await claim(start)).toBeUndefined()
    expect(await store.notices.open([somewhere], new Date())).toEqual(start)
    expect(await told()).toHaveLength(1)
  })

  it('keep the state of an alarm together with what is told of it', async () => {
    await store.notices.open([somewhere], start)
    const alarm: AlarmState = { isOn: true, since: 7, isReminded: false, data: { hours: 80 } }
    const seen: unknown[] = []
    const change = () =>
      store.notices.changeAlarm('backup', (known) => {
        seen.push(known)
        return known ? {} : { alarm, event: day('alarm') }
      })
    await change()
    await change()
    expect(seen.at(-1)).toEqual(alarm)
    expect(await told()).toEqual([{ of: 'alarm' }])
  })

  it('are dropped when they are old', async () => {
    await store.notices.open([somewhere], start)
    await signUp(1)
    await store.notices.noteEvent(day('old'))
    const later = new Date(Date.now() + 100 * 24 * HOUR)
    await store.notices.noteEvent({ ...day('new'), at: later })
    const kept = await told()
    expect(kept).toEqual([{ of: 'new' }])
  })

  it('come with what became of the list in a time', async () => {
    const before = new Date(Date.now() - HOUR)
    const [after, long] = [new Date(Date.now() + HOUR), new Date(Date.now() + 2 * HOUR)]
    await store.list.add('zoe@example.com')
    await signUp(3)
    await store.list.add('robot@example.com', { suspicion: 'too-quick' })
    expect(await store.notices.growthBetween(before, after)).toEqual({
      signUps: 4,
      subscribers: 4,
      quarantined: 1,
    })
    expect(await store.notices.growthBetween(after, long)).toMatchObject({
      signUps: 0,
      subscribers: 4,
    })
    expect(await store.notices.quarantinedSince(before)).toBe(1)
    expect(await store.notices.quarantinedSince(after)).toBe(0)
  })
})
