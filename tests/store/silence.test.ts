import { describe, expect, it } from 'vitest'
import { heardNothing } from '../../src/audience/heard-nothing.ts'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'
import { enlist } from '../fixtures/enlist.ts'
import { keepAnnouncement } from '../fixtures/keep-announcement.ts'
import { ids } from '../fixtures/keys.ts'
import { restorePeople } from '../fixtures/restored.ts'
import { chance } from '../torture/form.ts'
import { people } from './contracts/people.ts'

const SEED = 20_261_126
const DAY = 86_400_000

describe('who has heard nothing, in the store', () => {
  async function opened() {
    const store = await emptySqlite()
    const now = Date.now()
    return { store, now, ago: (days: number) => new Date(now - days * DAY) }
  }

  it('is nobody on an empty list, and nobody who has just signed up', async () => {
    const { store } = await opened()
    const nobody = { people: 0, since: null }
    expect(await heardNothing(store, new Date())).toEqual(nobody)
    await store.list.add('ada@example.com')
    expect(await heardNothing(store, new Date())).toEqual(nobody)
  })

  it('is everybody of sixty days, until a letter reaches them', async () => {
    const { store, now, ago } = await opened()
    const on = (email: string, days: number) => ({ email, subscribedAt: ago(days) })
    await store.list.importAll([
      ...[on('old@example.com', 61), on('young@example.com', 59), on('told@example.com', 400)],
      ...[on('failed@example.com', 70), on('left@example.com', 90)],
      // Known to another tool for long, and here by their own sign-up.
    ])
    await restorePeople(store, [{ email: 'back@example.com', importedAt: ago(300), at: ago(10) }])
    await store.standings.set([{ email: 'left@example.com', standing: 'unsubscribed' }])
    const rows = [
      { email: 'told@example.com', at: ago(65) },
      { email: 'failed@example.com', at: ago(5), status: 'failed' as const },
      { email: 'left@example.com', at: ago(95) },
    ]
    await keepAnnouncement(store, 'news', ago(95), rows)
    expect(await heardNothing(store, new Date(now))).toEqual({
      people: 3,
      since: ago(70).toISOString(),
    })
    const again = { email: 'failed@example.com', at: ago(3), status: 'uncertain' as const }
    await keepAnnouncement(store, 'more', ago(3), [again])
    expect(await heardNothing(store, new Date(now))).toEqual({
      people: 2,
      since: ago(65).toISOString(),
    })
    await store.standings.forget('told@example.com')
    expect(await heardNothing(store, new Date(now))).toEqual({
      people: 1,
      since: ago(61).toISOString(),
    })
  })

  it('keeps the last yes of somebody on the list who got a letter, until they are forgotten', async () => {
    const { store, ago } = await opened()
    const [ada, bob] = ['ada@example.com', 'bob@example.com']
    const answered = async (email: string) =>
      (await store.requests.changePending(ids.of(email), (result) => ({ result }))).stillInterested
    await store.list.importAll([{ email: ada, subscribedAt: ago(90), extra: { plan: 'pro' } }])
    await store.list.add(bob)
    for (const email of [ada, bob, 'stranger@example.com'])
      await store.standings.stayInterested(ids.of(email))
    expect(await answered(ada)).toBeUndefined()

    const rows = [{ email: ada, at: ago(1) }]
    await keepAnnouncement(store, 'still-interested', ago(1), rows)
    const begun = Date.now()
    await store.standings.set([{ email: ada, standing: 'unsubscribed' }])
    await Promise.all([1, 2, 3].map(() => store.standings.stayInterested(ids.of(ada))))
    const first = Number(await answered(ada))
    expect(first).toBeGreaterThanOrEqual(begun)
    expect(await answered(bob)).toBeUndefined()
    expect((await store.standings.of(ada))?.standing).toBe('unsubscribed')
    await expect
      .poll(async () => {
        await store.standings.stayInterested(ids.of(ada))
        return Number(await answered(ada))
      })
      .toBeGreaterThan(first)
    for await (const { email, extra } of store.list.stream({ standing: 'all' }))
      if (email === ada) expect(extra).toEqual({ plan: 'pro', stillInterested: expect.any(String) })

    await store.standings.forget(ada)
    await store.standings.stayInterested(ids.of(ada))
    await store.list.add(ada)
    expect(await answered(ada)).toBeUndefined()
  })

  it('is whoever did not get the letter of these days, or came after it with a time from before', async () => {
    const { store, now, ago } = await opened()
    const [list, owner] = [people(9).map((one) => ({ ...one, subscribedAt: ago(99) })), 'me']
    await store.list.importAll(list)
    await store.lock.acquire({ owner, host: 'here', pid: 1 }, DAY / 48)
    await store.ledger.begin(owner, 'launch', { subject: 'We are live', digest: 'one' })
    const wanted = list.map(({ email }, i) => ({
      email,
      ...(i < 2 && { leftOut: 'heard' as const }),
    }))
    await enlist(store, owner, 'launch', wanted)
    await store.ledger.countEligible(owner, 'launch')
    const rows = await store.ledger.claim(owner, 'launch', { limit: 6, which: 'untried' })
    const ended = (status: 'sent' | 'failed') => ({ status, answer: '' })
    await store.ledger.record(
      owner,
      'launch',
      rows.map(({ number, tries }, i) => ({ number, tries, ...ended(i < 1 ? 'failed' : 'sent') })),
    )
    await store.list.importAll([{ email: 'late@example.com', subscribedAt: ago(70) }])
    // Two left out, one failed, one in the queue, one late.
    const since = ago(99).toISOString()
    expect(await heardNothing(store, new Date(now))).toEqual({ people: 5, since })
  })

  it('is counted as a plain reading of the rows counts it', async () => {
    const { store, now, ago } = await opened()
    const random = chance(SEED)
    const everybody = people(80).map((one) => ({ ...one, subscribedAt: ago(random() * 150) }))
    await store.list.importAll(everybody)
    const last = new Map(everybody.map(({ email, subscribedAt }) => [email, +subscribedAt]))
    for (const letter of ['one', 'two', 'three']) {
      const rows = everybody
        .filter(() => random() < 0.4)
        .map(({ email }) => ({ email, at: ago(random() * 150) }))
      for (const { email, at } of rows)
        last.set(email, Math.max(last.get(email) ?? 0, at.getTime()))
      await keepAnnouncement(store, letter, ago(150), rows)
    }
    const silent = [...last.values()].filter((at) => at < +ago(60))
    expect(silent.length).toBeGreaterThan(8)
    expect(await heardNothing(store, new Date(now))).toEqual({
      people: silent.length,
      since: new Date(Math.min(...silent)).toISOString(),
    })
  })
})
