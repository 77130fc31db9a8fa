import { describe, expect, it } from 'vitest'
import type { Selection } from '../../src/store/subscriber-list.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'
import { ids } from '../fixtures/keys.ts'
import { standingCounts } from '../fixtures/standing-counts.ts'
import { people, person } from './contracts/people.ts'

describe('the store, as the keeper of standings', () => {
  eachHasStore()

  const ada = 'ada@example.com'

  it('forgets a subscriber, and says what it found', async () => {
    await store.list.importAll(people(3))
    expect(await store.standings.forget(person(2).email)).toEqual({
      wasSubscriber: true,
      wasAsked: false,
      deliveries: 0,
    })
    expect(await store.standings.forget(person(2).email)).toEqual({
      wasSubscriber: false,
      wasAsked: false,
      deliveries: 0,
    })
    expect(await store.list.find(person(2).email)).toBeUndefined()
    expect(await store.list.count()).toBe(2)
    expect(await store.standings.of(person(2).email)).toMatchObject({ standing: 'forgotten' })
  })

  it('forgets many as it forgets one, were they here or not', async () => {
    await store.list.importAll(people(4))
    await store.standings.forgetAll([1, 5, 3, 1].map((n) => person(n).email))
    expect(await store.list.count()).toBe(2)
    for (const n of [1, 3, 5])
      expect(await store.standings.of(person(n).email)).toMatchObject({ standing: 'forgotten' })
    expect(await store.standings.of(person(2).email)).toBeUndefined()
    const outcomes = ['forgotten', 'known', 'forgotten', 'known', 'forgotten']
    expect(await store.list.importAll(people(5))).toEqual(outcomes)
    await store.standings.forgetAll([])
    expect(await store.list.count()).toBe(2)
  })

  it('keeps what was heard, with its time and its reason, of subscribers and others', async () => {
    await store.list.add(ada)
    const at = new Date('2026-03-01T12:00:00.000Z')
    const detail = '550 5.1.1 <ada@example.com> no such\u001b[31m user\r\n'
    const heard = [
      { email: ada, standing: 'bounced', at, detail },
      { email: 'nobody@example.com', standing: 'complained', at },
    ] as const
    for (let times = 0; times < 2; times++) {
      expect(await store.standings.set(heard)).toEqual([true, true])
      const kept = '550 5.1.1 … no such [31m user'
      expect(await store.standings.of(ada)).toEqual({ standing: 'bounced', at, detail: kept })
      expect(await store.standings.of('nobody@example.com')).toEqual({
        standing: 'complained',
        at,
      })
    }
    expect(await store.list.count()).toBe(1)
  })

  it('lists those who may be written to, or all with their standing, or those of one', async () => {
    await store.list.importAll(people(5))
    const at = new Date('2026-05-01T00:00:00.000Z')
    await store.standings.set([
      { email: person(1).email, standing: 'bounced', at, detail: '550 no' },
      { email: person(3).email, standing: 'complained', at },
    ])
    await store.standings.unsubscribe(ids.of(person(4).email))
    const listed = async (selection?: Selection) => {
      const found = []
      for await (const one of store.list.stream(selection)) found.push(one)
      return found
    }
    const well = [person(2), person(5)].map((one) => ({ ...one, standing: 'subscribed' }))
    expect(await listed()).toEqual(well)
    expect(await listed({ standing: 'subscribed' })).toEqual(well)
    const bounced = { ...person(1), standing: 'bounced', standingAt: at, detail: '550 no' }
    expect(await listed({ standing: 'bounced' })).toEqual([bounced])
    expect(await listed({ standing: 'all', until: person(4).subscribedAt })).toEqual([
      bounced,
      well[0],
      { ...person(3), standing: 'complained', standingAt: at },
    ])
    const none = { pending: 0, quarantined: 0, forgotten: 0 }
    const counts = { ...none, unsubscribed: 1, bounced: 1, complained: 1 }
    expect(await standingCounts(store)).toEqual({ subscribed: 2, ...counts })
    expect(await store.list.count()).toBe(5)
  })

  it('takes back all that it lists, fields without a name of ours as well', async () => {
    const extra = { 'First Name': 'Ada', tags: [['a'], { b: null }] }
    const standingAt = new Date('2026-05-01T00:00:00.000Z')
    const all = [
      { ...person(1), standing: 'subscribed', extra },
      { ...person(2), standing: 'bounced', standingAt, detail: '550 no', extra: { n: 1 } },
    ] as const
    await store.list.importAll(all)
    const listed = []
    for await (const one of store.list.stream({ standing: 'all' })) listed.push(one)
    expect(listed).toEqual(all)
    // What is known stays, and what is new is added.
    await store.list.importAll([{ ...person(1), extra: { 'First Name': 'Bob', city: 'London' } }])
    for await (const one of store.list.stream())
      expect(one.extra).toEqual({ ...extra, city: 'London' })
    await store.standings.forget(person(1).email)
    await store.list.add(person(1).email)
    for await (const one of store.list.stream()) expect(one.extra).toBeUndefined()
  })
})
