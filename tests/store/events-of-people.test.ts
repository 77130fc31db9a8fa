import { describe, expect, it } from 'vitest'
import { HELD_AFTER_MS } from '../../src/people/event-queue.ts'
import type { Pending } from '../../src/people/pending.ts'
import type { Answer } from '../../src/queue/waiting-line.ts'
import { type EventType, eventTypes } from '../../src/shared/event-types.ts'
import type { ClaimedEvent } from '../../src/store/events.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'
import { enlist } from '../fixtures/enlist.ts'
import { keepAnnouncement } from '../fixtures/keep-announcement.ts'
import { ids } from '../fixtures/keys.ts'
import { nextMillisecond } from '../fixtures/next-millisecond.ts'
import { receipt } from '../fixtures/receipt.ts'
import { people, person } from './contracts/people.ts'

const LEASE = 60_000
const HOUR = 3_600_000
const place = 'P'.repeat(22)
const taken = { kind: 'taken' } as const
const refused = { kind: 'failed', failure: '422', isAway: false } as const
const noAnswer = { kind: 'failed', failure: 'no answer', isAway: true } as const

describe('the store, and what other systems are told', () => {
  eachHasStore()

  const ada = 'ada@example.com'
  const bob = 'bob@example.com'
  const idOf = (email: string) => ids.person(ids.of(email))
  const open = (types: readonly EventType[] = eventTypes) => store.events.open(types, place)
  const later = (ms: number) => new Date(Date.now() + ms)
  const claim = (limit = 9, now = later(1000)) => store.events.claim(limit, LEASE, now)
  const end = (claimed: readonly ClaimedEvent[], answer: Answer, now = later(1000)) =>
    store.events.settle(
      claimed.map((item) => ({ item, answer })),
      now,
    )

  /** Takes everything, in the order in which it is given: each with its person. */
  async function told() {
    const all: ClaimedEvent[] = []
    for (;;) {
      const claimed = await claim()
      if (claimed.length === 0) return all
      all.push(...claimed)
      await end(claimed, taken)
    }
  }
  const typesTold = async () => (await told()).map(({ type }) => type)

  it('writes nothing before the feed is opened, and nothing of what came before it', async () => {
    await store.list.add(ada)
    await store.standings.forget(ada)
    expect(await store.events.feed()).toBeUndefined()
    await open()
    expect(await told()).toEqual([])
    expect(await store.events.counts()).toEqual({ people: 0, held: 0, forgotten: 0 })
  })

  it('says since when the oldest of them waits', async () => {
    await open()
    // Not in the order of their ids.
    const emails = people(3).map(({ email }) => email)
    for (const email of emails.toSorted((one, other) => (idOf(one) < idOf(other) ? 1 : -1))) {
      await store.list.add(email)
      await nextMillisecond()
    }
    const times = (await store.events.waiting(9)).map(({ queue }) => Number(queue.items[0]?.at))
    expect(new Set(times).size).toBe(3)
    expect(await store.events.counts()).toMatchObject({ people: 3, oldest: Math.min(...times) })
  })

  it('tells of a sign-up once, with an id that is stable and is not the one of links', async () => {
    await open()
    await store.list.add(ada)
    await store.list.add(ada)
    await store.list.add(bob)
    const events = await told()
    expect(events.map(({ type, person, email }) => [type, person, email]).toSorted()).toEqual(
      [ada, bob].map((email) => ['subscribed', idOf(email), email]).toSorted(),
    )
    expect(new Set(events.map(({ id }) => id)).size).toBe(2)
    expect(idOf(ada)).not.toBe(ids.of(ada))
    await store.list.add(ada)
    expect(await told()).toEqual([])
  })

  it('tells only what was asked for', async () => {
    await open(['left', 'forgotten'])
    await store.list.add(ada)
    await store.standings.unsubscribe(ids.of(ada))
    await store.standings.set([{ email: bob, standing: 'bounced' }])
    expect(await typesTold()).toEqual(['left'])
  })

  it('tells of leaving by a link, of a return, a bounce and a complaint, in order', async () => {
    await open()
    await store.list.add(ada)
    await store.standings.unsubscribe(ids.of(ada))
    await store.standings.unsubscribe(ids.of(ada))
    await store.list.add(ada)
    await store.standings.set([{ email: ada, standing: 'bounced' }])
    await store.standings.set([{ email: ada, standing: 'complained' }])
    await store.list.add(ada)
    const events = await told()
    expect(events.map(({ type }) => type)).toEqual([
      ...['subscribed', 'left', 'subscribed', 'bounced', 'left'],
    ])
    expect(events.every(({ email }) => email === ada)).toBe(true)
  })

  it('tells of a no of somebody who was never on the list', async () => {
    await open()
    await store.standings.set([{ email: ada, standing: 'unsubscribed' }])
    expect(await told()).toMatchObject([{ type: 'left', email: ada, person: idOf(ada) }])
  })

  it('tells of nobody with signs of a robot before they count', async () => {
    await open()
    await store.list.add(ada, { suspicion: 'hidden-field' })
    await store.list.add(bob, { suspicion: 'hidden-field' })
    expect(await told()).toEqual([])
    await store.quarantine.release([ada])
    await store.list.add(bob)
    const events = await told()
    expect(events.map(({ type, email }) => `${type} ${email}`).toSorted()).toEqual([
      `subscribed ${ada}`,
      `subscribed ${bob}`,
    ])
  })

  it('tells of an import as of sign-ups, and of those who left there', async () => {
    await open()
    await store.list.importAll(people(2))
    await store.list.importAll([{ ...person(2), standing: 'unsubscribed' }, person(1)])
    const events = await told()
    expect(events.filter(({ email }) => email === person(1).email).map(typeOf)).toEqual([
      'subscribed',
    ])
    expect(events.filter(({ email }) => email === person(2).email).map(typeOf)).toEqual([
      ...['subscribed', 'left'],
    ])
  })

  describe('with a confirmation', () => {
    const shown = { words: 'Notify Me', page: 'a1b2', language: 'en' }
    const change = (more: Partial<Pending>, consent?: 'given' | null) =>
      store.requests.changePending(ids.of(ada), ({ pending }, now) => {
        const asked = pending ?? { email: ada, askedAt: now, shown, letters: 1 }
        return {
          result: undefined,
          pending: { ...asked, ...more },
          ...(consent === 'given' && { consent: receipt(now) }),
          ...(consent === null && { consent }),
        }
      })

    it('tells of nobody who was only asked, then of both, and of taking it back', async () => {
      await open()
      await change({})
      expect(await told()).toEqual([])
      await change({ confirmedAt: new Date() }, 'given')
      expect(await typesTold()).toEqual(['subscribed', 'confirmed'])
      await change({ confirmedAt: undefined }, null)
      expect(await typesTold()).toEqual(['left'])
    })
  })

  it('tells of an answer that was kept, with the newest, and not of somebody else’s', async () => {
    await open()
    await store.list.add(ada)
    for (const said of ['Bonn', 'Bonn']) await store.replies.keep(ada, said)
    await store.replies.keep(bob, 'Bonn')
    await store.list.add(bob, { suspicion: 'hidden-field' })
    await store.replies.keep(bob, 'Bonn')
    await store.replies.keep(ada, 'Köln')
    const events = await told()
    expect(events.map(({ type, email, answer }) => [type, email, answer])).toEqual([
      ['subscribed', ada, undefined],
      ['answered', ada, 'Köln'],
      ['answered', ada, 'Köln'],
    ])

    const at = new Date()
    const rows = [ada, bob].map((email) => ({ email, at }))
    await keepAnnouncement(store, 'question', at, rows)
    for (const email of [ada, bob]) await store.replies.keepFromLetter(ids.of(email), 'Ulm')
    expect(await told()).toMatchObject([{ type: 'answered', email: ada, answer: 'Ulm' }])

    await store.replies.keep(ada, 'Rom')
    await store.standings.forget(ada)
    expect(await typesTold()).toEqual(['forgotten'])
  })

  it('tells once of the announcement that left for somebody', async () => {
    await open()
    await store.list.importAll(people(2))
    await told()
    await store.lock.acquire({ owner: 'me', host: 'here', pid: 7 }, 60_000)
    await store.ledger.begin('me', 'launch', { subject: 'Open', digest: 'a digest' })
    await enlist(store, 'me', 'launch', people(2))
    const wanted = { limit: 2, which: 'untried' } as const
    const claimed = await store.ledger.claim('me', 'launch', wanted)
    const results = claimed.map(({ number, tries }, i) => ({
      ...{ number, tries, answer: '250' },
      status: i === 0 ? ('sent' as const) : ('failed' as const),
    }))
    await store.ledger.record('me', 'launch', results)
    await store.ledger.record('me', 'launch', results)
    expect(await told()).toMatchObject([{ type: 'told', email: claimed[0]?.email }])
  })

  describe('of an erasure', () => {
    it('tells the id alone, as the last thing, and erases what waited', async () => {
      await open()
      await store.list.add(ada)
      await store.standings.unsubscribe(ids.of(ada))
      await store.standings.forget(ada)
      const [one, ...others] = await store.events.waiting(9)
      expect(others).toEqual([])
      expect(JSON.stringify(one)).not.toContain('ada')
      const events = await told()
      expect(events).toMatchObject([{ type: 'forgotten', person: idOf(ada) }])
      expect(events[0]).not.toHaveProperty('email')
    })

    it('waits for what is on its way, so that nothing of them comes after it', async () => {
      await open()
      await store.list.add(ada)
      const sending = await claim()
      await store.standings.forget(ada)
      expect(await claim()).toEqual([])
      await end(sending, taken)
      expect(await typesTold()).toEqual(['forgotten'])
    })

    it('is written while the feed is off, and sent when it is on again', async () => {
      await open()
      await store.events.close()
      await store.list.add(ada)
      await store.list.add(bob)
      await store.standings.forget(ada)
      expect(await store.events.feed()).toMatchObject({ isOn: false })
      await open()
      expect(await told()).toMatchObject([{ type: 'forgotten', person: idOf(ada) }])
    })

    it('never gives up, and has one id however often it is tried', async () => {
      await open()
      await store.standings.forget(ada)
      const tried = new Set<string>()
      let now = Date.now() + 1000
      for (let day = 0; day < 30; day += 1) {
        const claimed = await claim(9, new Date(now))
        for (const { id } of claimed) tried.add(id)
        await end(claimed, refused, new Date(now))
        now += 25 * HOUR
      }
      expect(tried.size).toBe(1)
      expect(await store.events.counts()).toMatchObject({ people: 1, held: 0, forgotten: 1 })
      expect(await claim(9, new Date(now))).toMatchObject([{ type: 'forgotten' }])
    })

    it('of several at once, and of those in quarantine, is told of each', async () => {
      await open()
      await store.list.add(bob, { suspicion: 'hidden-field' })
      await store.list.add(ada)
      await store.standings.forgetAll([ada])
      await store.quarantine.erase([bob])
      const events = await told()
      expect(events.map(({ type, person }) => [type, person]).toSorted()).toEqual(
        [ada, bob].map((email) => ['forgotten', idOf(email)]).toSorted(),
      )
    })
  })

  it('gives one event of a person at a time, and each to one process', async () => {
    await open()
    await store.list.add(ada)
    await store.standings.unsubscribe(ids.of(ada))
    await store.list.add(bob)
    const both = await claim()
    expect(both.map(typeOf)).toEqual(['subscribed', 'subscribed'])
    expect(await claim()).toEqual([])
    const [again] = await claim(1, later(LEASE + 2000))
    const same = both.find(({ person }) => person === again?.person)
    expect(again?.id).toBe(same?.id)
    // The answer to the first try, which is late, is no failure of the second.
    if (same) await end([same], refused)
    expect(await claim(9, later(LEASE + 3000))).toHaveLength(1)
  })

  it('holds what failed for a week until it is replayed, in order', async () => {
    await open()
    await store.list.add(ada)
    await end(await claim(), refused)
    const week = later(HELD_AFTER_MS + HOUR)
    await end(await claim(9, week), refused, week)
    await store.standings.unsubscribe(ids.of(ada))
    expect(await store.events.counts()).toMatchObject({ people: 1, held: 1, forgotten: 0 })
    expect(await claim(9, later(100 * HELD_AFTER_MS))).toEqual([])
    expect(await store.events.replay(new Date())).toBe(1)
    expect(await typesTold()).toEqual(['subscribed', 'left'])
  })

  it('holds all that is a week old while the receiver is away, but no erasure', async () => {
    await open()
    await store.list.importAll(people(5))
    await store.standings.forget(ada)
    await end(await claim(3), noAnswer)
    const week = later(HELD_AFTER_MS + HOUR)
    await end(await claim(3, week), noAnswer, week)
    expect(await store.events.counts()).toMatchObject({ people: 6, held: 5, forgotten: 1 })
    expect(await store.events.feed()).toMatchObject({ failure: 'no answer' })
  })

  it('has what failed keep its own wait when the receiver is back', async () => {
    await open()
    await store.list.importAll(people(3))
    for (const after of [1000, 8000])
      await end(await claim(3, later(after)), noAnswer, later(after))
    expect(await store.events.feed()).toMatchObject({ awaySince: expect.any(Number) })
    await store.list.add(bob)
    expect(await told()).toMatchObject([{ email: bob }])
    expect(await claim(9, later(60_000))).toEqual([])
    expect(await claim(9, later(HOUR / 6))).toHaveLength(3)
    expect(await store.events.feed()).not.toHaveProperty('awaySince')
  })

  it('remembers nothing of one receiver about another', async () => {
    await open()
    await store.list.importAll(people(3))
    for (const now of [later(1000), later(2 * HOUR)])
      await end(await claim(9, now), { ...noAnswer, failure: '410', isGone: true }, now)
    expect((await store.events.feed())?.notBefore).toBeGreaterThan(Date.now() + HOUR)
    await store.events.open(eventTypes, 'Q'.repeat(22))
    expect(await store.events.feed()).not.toHaveProperty('notBefore')
  })
})

const typeOf = ({ type }: ClaimedEvent) => type
