import { describe, expect, it } from 'vitest'
import { eachHasStore, store } from '../fixtures/each-store.ts'
import { ids } from '../fixtures/keys.ts'
import { standingCounts } from '../fixtures/standing-counts.ts'
import { people, person } from './contracts/people.ts'

const suspicion = 'hidden-field, too-quick'

describe('the store, as the keeper of a quarantine', () => {
  eachHasStore()

  const ada = 'ada@example.com'
  const bob = 'bob@example.com'
  const standingOf = async (email = ada) => (await store.standings.of(email))?.standing
  async function listed() {
    const all = []
    for await (const one of store.list.stream({ standing: 'all' })) all.push(one)
    return all
  }

  describe('of a sign-up with signs', () => {
    it('puts a new address on the list, quarantined for them', async () => {
      const before = Date.now()
      await store.list.add(ada, { suspicion })
      expect(await store.standings.of(ada)).toEqual({
        standing: 'quarantined',
        at: expect.any(Date),
        detail: suspicion,
      })
      const [one, ...others] = await listed()
      expect(others).toEqual([])
      expect(one).toMatchObject({ email: ada, standing: 'quarantined', detail: suspicion })
      expect(Number(one?.subscribedAt)).toBeGreaterThanOrEqual(before)
      expect(await store.list.count()).toBe(1)
      expect((await standingCounts(store)).subscribed).toBe(0)
      expect(await standingCounts(store)).toMatchObject({ subscribed: 0, quarantined: 1 })
    })
  })

  it('believes the one without signs where many of both come at the same moment', async () => {
    const emails = people(2).map(({ email }) => email)
    await Promise.all(
      emails.flatMap((email) => [
        store.list.add(email, { suspicion }),
        store.list.add(email),
        store.list.add(email, { suspicion }),
      ]),
    )
    for (const email of emails) expect(await standingOf(email), email).toBeUndefined()
    expect(await store.list.count()).toBe(2)
  })

  describe('an operator', () => {
    it('releases those who are quarantined, for good, with their time, and nobody else', async () => {
      await store.list.importAll(people(2))
      await store.standings.unsubscribe(ids.of(person(1).email))
      await store.list.add(ada, { suspicion })
      const before = await store.list.find(ada)
      const all = [ada, person(1).email, person(2).email, 'nobody@example.com', ada]
      expect(new Set(await store.quarantine.release(all))).toEqual(new Set([ada]))
      expect(await standingOf()).toBeUndefined()
      expect(await store.list.find(ada)).toEqual(before)
      expect(await standingOf(person(1).email)).toBe('unsubscribed')
      expect(await standingOf('nobody@example.com')).toBeUndefined()
      expect(await store.quarantine.release(all)).toEqual([])
      await store.list.add(ada, { suspicion })
      expect(await standingOf()).toBeUndefined()
    })

    it('erases those who are quarantined, and nobody else', async () => {
      await store.list.importAll(people(2))
      await store.standings.unsubscribe(ids.of(person(1).email))
      await store.list.add(ada, { suspicion })
      await store.list.add(bob, { suspicion })
      await store.list.add(bob)
      const all = [ada, bob, person(1).email, person(2).email, 'nobody@example.com']
      expect(await store.quarantine.erase(all)).toEqual([ada])
      expect(await store.list.find(ada)).toBeUndefined()
      expect(await standingOf()).toBe('forgotten')
      expect(await store.list.count()).toBe(3)
      expect(await standingOf('nobody@example.com')).toBeUndefined()
      expect(await store.quarantine.erase(all)).toEqual([])
      // A robot that comes back begins anew.
      await store.list.add(ada, { suspicion })
      expect(await standingOf()).toBe('quarantined')
    })
  })
})
