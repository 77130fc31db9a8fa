import { describe, expect, it } from 'vitest'
import type { SubscriberList } from '../../src/store/store.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'
import { standingCounts } from '../fixtures/standing-counts.ts'
import { people, person, SOME_PAGES } from './contracts/people.ts'

describe('the store, as the list of subscribers', () => {
  eachHasStore()

  const emails = async (range?: Parameters<SubscriberList['stream']>[0]) => {
    const found = []
    for await (const { email } of store.list.stream(range)) found.push(email)
    return found
  }

  it('gives everybody once, as they came on the list, also when others come and go meanwhile', async () => {
    const all = people(SOME_PAGES)
    for (let i = 0; i < all.length; i += 500) await store.list.importAll(all.slice(i, i + 500))
    expect(await emails()).toEqual(all.map(({ email }) => email))
    const seen: string[] = []
    for await (const { email } of store.list.stream()) {
      seen.push(email)
      if (seen.length === 500) await store.list.add('newcomer@example.com')
      if (seen.length === 600) await store.standings.forget(person(601).email)
      if (seen.length === 700) await store.standings.forget(person(10).email)
    }
    const stayed = all.map(({ email }) => email).filter((email) => email !== person(601).email)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(stayed))
  })

  it('gives those from a time on, and those before a time', async () => {
    const [first, second, third] = [person(1), person(2), person(3)]
    await store.list.importAll([first, second, third])
    const since = second.subscribedAt
    const until = third.subscribedAt
    expect(await emails({ since })).toEqual([second.email, third.email])
    expect(await emails({ until })).toEqual([first.email, second.email])
    expect(await emails({ since, until })).toEqual([second.email])
    expect((await standingCounts(store)).subscribed).toBe(3)
  })

  it('gives who signed up at the page since a time, and may be written to', async () => {
    await store.list.importAll(people(2))
    const since = new Date()
    const found = async (time: Date) => {
      const all: string[] = []
      for await (const email of store.list.signedUpSince(time)) all.push(email)
      return all
    }
    expect(await found(new Date(0))).toEqual([])
    const newcomers = Array.from({ length: 250 }, (_, n) => `new${n}@example.com`)
    await Promise.all(newcomers.map((email) => store.list.add(email)))
    await store.list.add('robot@example.com', { suspicion: 'too-quick' })
    await store.standings.set([{ email: 'new7@example.com', standing: 'complained' }])
    const expected = newcomers.filter((email) => email !== 'new7@example.com')
    expect((await found(since)).toSorted()).toEqual(expected.toSorted())
    expect(await found(new Date(Date.now() + 1000))).toEqual([])
  })

  it('imports once, says what became of each, and may be asked again', async () => {
    const batch = [person(1), person(2), person(1)]
    expect(await store.list.importAll(batch)).toEqual(['added', 'added', 'known'])
    expect(await store.list.importAll(batch)).toEqual(['known', 'known', 'known'])
    expect(await store.list.count()).toBe(2)
    const found = await store.list.find(person(1).email)
    expect(found).toEqual({ ...person(1), isImported: true })
  })
})
