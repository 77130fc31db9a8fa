import { beforeEach, describe, expect, it } from 'vitest'
import type { ClaimedDelivery, Delivery, DeliveryStatus } from '../../src/store/delivery-ledger.ts'
import { LockLost } from '../../src/store/run.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'
import { enlist, numbered } from '../fixtures/enlist.ts'
import { ids } from '../fixtures/keys.ts'
import { mergeCopy } from '../fixtures/merged-copy.ts'
import { nextMillisecond } from '../fixtures/next-millisecond.ts'
import { suppressedOf, tallyOf } from '../fixtures/tally.ts'
import { people, person, SOME_PAGES } from './contracts/people.ts'

const HOUR = 3_600_000
const letter = { subject: 'We are live', digest: 'one' }

describe('the store, as the ledger', () => {
  eachHasStore()
  beforeEach(() => store.lock.acquire({ owner: 'me', host: 'here', pid: 7 }, HOUR))

  const claim = (limit: number, which: 'untried' | 'tried' = 'untried') =>
    store.ledger.claim('me', 'launch', { limit, which })
  const finish = (claimed: readonly ClaimedDelivery[], status: 'sent' | 'failed' | 'uncertain') =>
    store.ledger.record(
      'me',
      'launch',
      claimed.map(({ number, tries }) => ({ number, tries, status, answer: '250 ok' })),
    )
  const rows = async (status?: DeliveryStatus) => {
    const found: Delivery[] = []
    for await (const delivery of store.ledger.deliveries('launch', status)) found.push(delivery)
    return found
  }
  /** An announcement to `count` people, all of them in the queue. */
  async function announced(count: number) {
    for (let i = 0; i < count; i += 500) await store.list.importAll(people(count).slice(i, i + 500))
    await store.ledger.begin('me', 'launch', letter)
    for (let i = 0; i < count; i += 500)
      await enlist(store, 'me', 'launch', people(count).slice(i, i + 500))
    return store.ledger.countEligible('me', 'launch')
  }
  /** Another run, with the lock. */
  async function takeOver() {
    await store.lock.acquire({ owner: 'you', host: 'there', pid: 8 }, HOUR, 'me')
  }

  it('begins an announcement for those who are there, and finds it again', async () => {
    await store.list.importAll(people(3))
    await store.standings.forget(person(2).email)
    const begun = await store.ledger.begin('me', 'launch', letter)
    expect(begun).toMatchObject({ id: 'launch', ...letter, upTo: 3, eligible: undefined })
    expect(await store.ledger.findAnnouncement('launch')).toEqual(begun)
    expect(await store.ledger.findAnnouncement('other')).toBeUndefined()
    await store.ledger.begin('me', 'other', letter)
    expect((await store.ledger.announcements()).map(({ id }) => id).toSorted()).toEqual([
      'launch',
      'other',
    ])
  })

  it('begins once: a second time only the letter changes', async () => {
    const first = await announced(2)
    const again = await store.ledger.begin('me', 'launch', { subject: 'Now', digest: 'two' })
    expect(again).toEqual({ ...first, subject: 'Now', digest: 'two' })
  })

  it('counts who left and what failed of the last letters, and nobody else', async () => {
    await announced(8)
    const lately = (tried: number, told: number, since?: Date) =>
      store.ledger.lately('launch', { tried, told }, since)
    await store.standings.unsubscribe(ids.of(person(8).email))
    const first = await claim(6)
    await finish(first.slice(0, 4), 'sent')
    await finish(first.slice(4, 5), 'uncertain')
    await finish(first.slice(5), 'failed')
    expect(await lately(9, 9)).toEqual({ tried: 6, failed: 1, told: 5, left: 0 })
    await store.standings.unsubscribe(ids.of(person(1).email))
    await store.standings.set([
      { email: person(2).email, standing: 'complained' },
      { email: person(3).email, standing: 'bounced' },
      { email: 'nobody@example.com', standing: 'complained' },
    ])
    expect(await lately(9, 9)).toEqual({ tried: 6, failed: 2, told: 5, left: 2 })
    expect(await lately(2, 3)).toMatchObject({ tried: 2, told: 3 })
    await nextMillisecond()
    const since = new Date()
    await nextMillisecond()
    await finish(await claim(1), 'sent')
    expect(await lately(1, 1)).toEqual({ tried: 1, failed: 0, told: 1, left: 0 })
    expect(await lately(9, 9, since)).toEqual({ tried: 1, failed: 0, told: 1, left: 0 })
    expect(await store.ledger.lately('other', { tried: 9, told: 9 })).toMatchObject({ tried: 0 })
  })

  it('counts as having left whoever came back, and whoever was erased, if they were told', async () => {
    await announced(5)
    await finish(await claim(3), 'sent')
    await nextMillisecond()
    const lately = () => store.ledger.lately('launch', { tried: 9, told: 9 })
    for (const n of [1, 2, 4]) await store.standings.unsubscribe(ids.of(person(n).email))
    expect(await lately()).toMatchObject({ told: 3, left: 2 })
    // Of equal times, silence wins.
    await nextMillisecond()
    await store.list.add(person(1).email)
    expect(await store.standings.of(person(1).email)).toBeUndefined()
    expect(await lately()).toMatchObject({ told: 3, left: 2 })
    for (const n of [1, 3, 5]) await store.standings.forget(person(n).email)
    expect(await lately()).toEqual({ tried: 3, failed: 2, told: 3, left: 3 })
  })

  it('says when anybody was told anything since a time, also who is forgotten', async () => {
    await announced(6)
    const before = new Date(Date.now() - HOUR)
    const told = await claim(5)
    await finish(told.slice(0, 2), 'sent')
    await finish(told.slice(2, 3), 'failed')
    await finish(told.slice(3, 4), 'uncertain')
    await store.standings.forget(person(1).email)
    // Was never tried.
    await store.standings.forget(person(6).email)
    const since = async (time: Date) => {
      let found = 0
      for await (const at of store.ledger.toldSince(time)) {
        expect(at.getTime()).toBeGreaterThanOrEqual(time.getTime())
        found += 1
      }
      return found
    }
    // Somebody who has it, one who may, one to whom it is being sent, and one who was forgotten.
    expect(await since(before)).toBe(4)
    expect(await since(new Date(Date.now() + HOUR))).toBe(0)
  })

  it('counts who is eligible from the subscribers, not from its rows', async () => {
    await store.list.importAll(people(3))
    await store.ledger.begin('me', 'launch', letter)
    await enlist(store, 'me', 'launch', [person(1)])
    expect(await store.ledger.countEligible('me', 'launch')).toMatchObject({ eligible: 3 })
  })

  it('leaves those who come on the list after the cut-off out until it is moved, whatever their time', async () => {
    await announced(2)
    await store.list.add('late@example.com')
    await store.list.importAll([{ email: 'early@example.com', subscribedAt: new Date(0) }])
    expect(await store.ledger.countEligible('me', 'launch')).toMatchObject({ eligible: 2, upTo: 2 })
    const moved = await store.ledger.begin('me', 'launch', letter, true)
    expect(moved).toMatchObject({ eligible: undefined, upTo: 4 })
    // One that was interrupted keeps its own.
    await store.list.add('later@example.com')
    expect(await store.ledger.begin('me', 'launch', letter, true)).toEqual(moved)
    expect(await store.ledger.countEligible('me', 'launch')).toMatchObject({ eligible: 4 })
  })

  it('has who left and came back where they were, and who was forgotten as somebody new', async () => {
    await announced(3)
    await store.standings.unsubscribe(ids.of(person(1).email))
    await store.standings.forget(person(2).email)
    for (const n of [1, 2]) await store.list.add(person(n).email)
    const all: unknown[] = []
    for await (const page of store.ledger.everybody())
      all.push(...page.map(({ number, email, letters }) => [number, email, letters.length]))
    expect(all).toEqual([
      [1, person(1).email, 1],
      [3, person(3).email, 1],
      [5, person(2).email, 0],
    ])
    expect(await store.ledger.countEligible('me', 'launch')).toMatchObject({ eligible: 3 })
  })

  it('gives a subscriber one row, however often it is enlisted', async () => {
    await announced(2)
    await store.list.importAll(people(3))
    expect(await enlist(store, 'me', 'launch', people(3))).toBe(1)
    expect(await tallyOf(store, 'launch')).toMatchObject({ queued: 3, untried: 3 })
  })

  it('lets others write while it passes over many who have left, and then claims who is left', async () => {
    await announced(1002)
    const left = people(1001).map(({ email }) => ({ email, at: new Date() }))
    for (let i = 0; i < left.length; i += 500)
      await store.standings.set(
        left.slice(i, i + 500).map((one) => ({ ...one, standing: 'unsubscribed' })),
      )
    const claimed = claim(2)
    await store.list.importAll([person(2000)])
    expect((await tallyOf(store, 'launch')).suppressed).toBeLessThan(1001)
    expect((await claimed).map(({ email }) => email)).toEqual([person(1002).email])
    expect(await claim(2)).toEqual([])
    expect(await tallyOf(store, 'launch')).toMatchObject({ suppressed: 1001, sending: 1 })
  })

  it('claims those first and last who were enlisted to have their turn before or after others', async () => {
    await store.list.importAll(people(3))
    await store.lock.acquire({ owner: 'me', host: 'here', pid: 1 }, 60_000)
    await store.ledger.begin('me', 'launch', letter)
    const [a, b, c] = people(3)
    if (!a || !b || !c) throw new Error('there are three')
    await enlist(store, 'me', 'launch', [{ ...a, turn: 1 }, b, { ...c, turn: -2 }])
    const claimed = [...(await claim(2)), ...(await claim(2))]
    expect(claimed.map(({ email }) => email)).toEqual([3, 2, 1].map((n) => person(n).email))
  })

  it('claims in order of sign-up, each row once, and has it as sending', async () => {
    await announced(5)
    const first = await claim(2)
    expect(first).toMatchObject([
      { addressId: ids.of(person(1).email), email: person(1).email, tries: 1 },
      { addressId: ids.of(person(2).email), email: person(2).email, tries: 1 },
    ])
    expect((await claim(9)).map(({ email }) => email)).toEqual(
      [3, 4, 5].map((n) => person(n).email),
    )
    expect(await claim(9)).toEqual([])
    expect(await tallyOf(store, 'launch')).toMatchObject({ sending: 5, queued: 0 })
  })

  it('gives no row twice to those who claim at once', async () => {
    await announced(40)
    const claimed = await Promise.all(Array.from({ length: 10 }, () => claim(4)))
    const emails = claimed.flat().map(({ email }) => email)
    expect(emails.toSorted()).toEqual(
      people(40)
        .map(({ email }) => email)
        .toSorted(),
    )
    expect(await tallyOf(store, 'launch')).toMatchObject({ sending: 40, queued: 0 })
  })

  it('notes how each one ended, with what the server said', async () => {
    await announced(4)
    const [a, b, c] = await claim(3)
    if (!a || !b || !c) throw new Error('three were to be claimed')
    await finish([a], 'sent')
    await finish([b], 'failed')
    await finish([c], 'uncertain')
    expect(await tallyOf(store, 'launch')).toEqual({
      queued: 1,
      untried: 1,
      sending: 0,
      sent: 1,
      failed: 1,
      uncertain: 1,
      suppressed: 0,
      forgotten: 0,
    })
    const [sent] = await rows('sent')
    expect(sent).toMatchObject({ email: a.email, tries: 1, answer: '250 ok' })
    expect(await rows()).toHaveLength(4)
    expect(await store.ledger.deliveriesTo(b.email)).toMatchObject([
      { announcement: 'launch', status: 'failed' },
    ])
  })

  it('lists people and rows beyond one page, once each', async () => {
    await announced(SOME_PAGES)
    let found = 0
    for await (const page of store.ledger.everybody({ after: 3, upTo: SOME_PAGES - 1 }))
      for (const { number, letters } of page) {
        expect(number).toBe(4 + found++)
        expect(letters).toMatchObject([{ announcement: 'launch', status: 'queued', tries: 0 }])
      }
    expect(found).toBe(SOME_PAGES - 4)
    const listed = (await rows()).map(({ email }) => email)
    expect(listed.toSorted()).toEqual(
      people(SOME_PAGES)
        .map(({ email }) => email)
        .toSorted(),
    )
  })

  it('keeps a row that is put back until it is due, and counts its tries', async () => {
    await announced(1)
    const putBack = async (claimed: ClaimedDelivery[], dueAt: Date) => {
      for (const { number, tries } of claimed)
        await store.ledger.record('me', 'launch', [
          { number, tries, status: 'queued', answer: '451', dueAt },
        ])
    }
    await putBack(await claim(1), new Date(Date.now() + HOUR))
    expect(await tallyOf(store, 'launch')).toMatchObject({ queued: 1, untried: 0 })
    expect(await claim(1)).toEqual([])
    expect(await claim(1, 'tried')).toEqual([])
    await store.ledger.requeue('me', 'launch', 'failed')
    expect(await claim(1, 'tried')).toEqual([])
  })

  it('gives a row that is due again as a tried one', async () => {
    await announced(2)
    const [{ number } = { number: 0 }] = await claim(1)
    const dueAt = new Date(Date.now() - 1)
    const putBack = { number, tries: 1, status: 'queued', answer: '451', dueAt } as const
    await store.ledger.record('me', 'launch', [putBack])
    expect(await claim(9, 'tried')).toMatchObject([{ number, tries: 2 }])
    // Noted once more, as by whoever got no answer to the first time: it is being sent by now.
    await store.ledger.record('me', 'launch', [putBack])
    expect(await tallyOf(store, 'launch')).toMatchObject({
      sending: 1,
      queued: 1,
      untried: 1,
    })
  })

  it('never gives those who unsubscribed, not even in the middle of a run', async () => {
    await announced(4)
    await store.standings.unsubscribe(ids.of(person(2).email))
    expect((await claim(1)).map(({ email }) => email)).toEqual([person(1).email])
    // Nobody to give among those it looks at first, and somebody behind them.
    expect((await claim(1)).map(({ email }) => email)).toEqual([person(3).email])
    await store.standings.unsubscribe(ids.of(person(4).email))
    expect(await claim(2)).toEqual([])
    expect(await tallyOf(store, 'launch')).toMatchObject({ suppressed: 2, queued: 0 })
  })

  const returned = ({ number, tries }: ClaimedDelivery) =>
    ({ number, tries, status: 'returned' }) as const

  it('has what was never begun in the queue again, in its place and as often tried as before', async () => {
    await announced(3)
    const [a, b] = await claim(2)
    if (!a || !b) throw new Error('two were to be claimed')
    await store.ledger.record('me', 'launch', [returned(a), returned(b)])
    expect(await tallyOf(store, 'launch')).toMatchObject({
      queued: 3,
      untried: 3,
      sending: 0,
    })
    const [again, next] = await claim(2)
    expect([again, next]).toEqual([a, b])
    if (!again) throw new Error('it was to be claimed')

    const dueAt = new Date(Date.now() - 1000)
    const deferred = { number: a.number, tries: 1, answer: '451 later', dueAt }
    await store.ledger.record('me', 'launch', [{ ...deferred, status: 'queued' }])
    const [tried] = await claim(9, 'tried')
    if (!tried) throw new Error('it was to be claimed')
    expect(tried).toEqual({ ...a, tries: 2 })
    // With the next claim, which begins anew.
    await store.ledger.claim('me', 'launch', { limit: 1, which: 'untried' }, [returned(tried)])
    expect(await store.ledger.deliveriesTo(a.email)).toMatchObject([
      { status: 'queued', tries: 1, answer: '451 later' },
    ])
    expect(await claim(9, 'tried')).toEqual([tried])
  })

  it('takes back what was never begun from whoever lost the lock, but nothing of a later run', async () => {
    await announced(2)
    const [a, b] = await claim(2)
    if (!a || !b) throw new Error('two were to be claimed')
    await takeOver()
    await store.ledger.settle('you', 'launch')
    await store.ledger.record('me', 'launch', [returned(a)])
    expect(await tallyOf(store, 'launch')).toMatchObject({
      queued: 1,
      untried: 1,
      uncertain: 1,
    })
    await store.ledger.requeue('you', 'launch', 'uncertain')
    const [retried] = await store.ledger.claim('you', 'launch', { limit: 1, which: 'tried' })
    expect(retried).toMatchObject({ email: b.email, tries: 2 })
    await store.ledger.record('me', 'launch', [returned(b), returned(a)])
    expect(await tallyOf(store, 'launch')).toMatchObject({
      queued: 1,
      untried: 1,
      sending: 1,
    })
  })

  it('gives nobody to whom no letter can be sent', async () => {
    const literal = 'ada@[192.0.2.1]'
    await store.list.importAll([{ email: literal, subscribedAt: new Date('2026-01-01') }])
    await announced(1)
    await enlist(store, 'me', 'launch', [{ email: literal }])
    expect((await claim(9)).map(({ email }) => email)).toEqual([person(1).email])
    expect(await store.ledger.deliveriesTo(literal)).toMatchObject([
      { status: 'suppressed', tries: 0, standing: 'unmailable' },
    ])
  })

  it('says when the next of those is due that were tried before', async () => {
    await announced(3)
    expect(await store.ledger.nextRetry('launch')).toBeUndefined()
    const [first, later] = [new Date(Date.now() + HOUR), new Date(Date.now() + 2 * HOUR)]
    const [a, b] = await claim(2)
    for (const [one, dueAt] of [
      [a, later],
      [b, first],
    ] as const)
      if (one)
        await store.ledger.record('me', 'launch', [
          { number: one.number, tries: 1, status: 'queued', answer: '451', dueAt },
        ])
    expect(await store.ledger.nextRetry('launch')).toEqual(first)
  })

  it('says why somebody was not written to, as it was then', async () => {
    await announced(5)
    const [left, bounced, complained] = [1, 2, 3].map((n) => person(n).email)
    await store.standings.set([
      { email: left ?? '', standing: 'unsubscribed' },
      { email: bounced ?? '', standing: 'bounced' },
      { email: complained ?? '', standing: 'complained' },
    ])
    expect((await claim(9)).map(({ email }) => email)).toEqual([4, 5].map((n) => person(n).email))
    await store.standings.set([{ email: left ?? '', standing: 'complained' }])
    expect(await suppressedOf(store, 'launch')).toMatchObject({
      subscribed: 0,
      unsubscribed: 1,
      bounced: 1,
      complained: 1,
      forgotten: 0,
    })
    expect(await store.ledger.deliveriesTo(bounced ?? '')).toMatchObject([
      { status: 'suppressed', standing: 'bounced' },
    ])
  })

  it('keeps the row of whoever is forgotten, without the address', async () => {
    await announced(3)
    await finish(await claim(1), 'sent')
    const [sending] = await claim(1)
    if (!sending) throw new Error('one was to be claimed')
    for (const n of [1, 2, 3])
      expect(await store.standings.forget(person(n).email)).toEqual({
        wasSubscriber: true,
        wasAsked: false,
        deliveries: 1,
      })
    await finish([sending], 'sent')
    expect(await tallyOf(store, 'launch')).toMatchObject({ forgotten: 3, sent: 0, queued: 0 })
    for (const row of await rows())
      expect(row).toMatchObject({ email: undefined, answer: undefined, status: 'forgotten' })
    expect(await store.ledger.deliveriesTo(person(1).email)).toEqual([])
    expect(await store.ledger.countEligible('me', 'launch')).toMatchObject({ eligible: 3 })
  })

  it('gives no row to whoever was forgotten since the list was read', async () => {
    await announced(1)
    await store.list.importAll(people(3))
    const read = await numbered(store, people(3))
    await store.standings.forget(person(2).email)
    expect(await store.ledger.enlist('me', 'launch', read)).toBe(1)
    expect(await store.ledger.deliveriesTo(person(2).email)).toEqual([])
  })

  it('turns what a run left behind into uncertain, and leaves its own alone', async () => {
    await announced(3)
    await claim(1)
    expect(await store.ledger.settle('me', 'launch')).toBe(0)
    await takeOver()
    await store.ledger.claim('you', 'launch', { limit: 1, which: 'untried' })
    expect(await store.ledger.settle('you', 'launch')).toBe(1)
    expect(await tallyOf(store, 'launch')).toMatchObject({
      uncertain: 1,
      sending: 1,
      queued: 1,
    })
  })

  it('has who is left out as suppressed, under the reason, and decides again only on who was told', async () => {
    await store.list.importAll(people(4))
    await store.ledger.begin('me', 'launch', letter)
    const [a, b, c, d] = people(4)
    if (!a || !b || !c || !d) throw new Error('there are four')
    const wanted = [a, { ...b, leftOut: 'told' }, { ...c, leftOut: 'mailbox' }, d] as const
    expect(await enlist(store, 'me', 'launch', wanted)).toBe(4)
    expect(await tallyOf(store, 'launch')).toMatchObject({
      queued: 2,
      untried: 2,
      suppressed: 2,
    })
    expect(await suppressedOf(store, 'launch')).toMatchObject({
      told: 1,
      mailbox: 1,
      bounced: 0,
    })
    expect(await store.ledger.deliveriesTo(b.email)).toMatchObject([{ standing: 'told' }])
    const again = (people: Parameters<typeof enlist>[3], wasLeftOutAs: 'told' | 'mailbox') =>
      enlist(
        store,
        'me',
        'launch',
        people.map((one) => ({ ...one, wasLeftOutAs })),
      )
    expect(await again([b, c, d], 'told')).toBe(0)
    expect(await suppressedOf(store, 'launch')).toMatchObject({ told: 0, mailbox: 1 })
    const heard = { ...c, leftOut: 'heard' } as const
    await again([heard, { ...d, leftOut: 'heard' }], 'mailbox')
    expect(await suppressedOf(store, 'launch')).toMatchObject({ mailbox: 0, heard: 1 })
    expect(await store.ledger.deliveriesTo(c.email)).toMatchObject([{ standing: 'heard' }])
    expect((await claim(9)).map(({ email }) => email).toSorted()).toEqual(
      [a, b, d].map(({ email }) => email),
    )
  })

  it('gives those who are brought back the turn by which others go before them', async () => {
    const [early, late, now] = people(3)
    if (!early || !late || !now) throw new Error('there are three')
    await store.list.importAll([early, late, now])
    await store.ledger.begin('me', 'launch', letter)
    const left = [early, late].map((one) => ({ ...one, leftOut: 'answer' as const }))
    await enlist(store, 'me', 'launch', [...left, now])
    const back = { wasLeftOutAs: 'answer' } as const
    await enlist(store, 'me', 'launch', [
      { ...late, ...back, turn: -2 },
      { ...early, ...back, turn: -1 },
    ])
    const claimed = await claim(9)
    expect(claimed.map(({ email }) => email)).toEqual([late, early, now].map(({ email }) => email))
  })

  it('notes what ended with the next claim, also for who has lost the lock', async () => {
    await announced(4)
    const [a, b] = await claim(2)
    if (!a || !b) throw new Error('two were to be claimed')
    const ended = ({ number, tries }: ClaimedDelivery) =>
      [{ number, tries, status: 'sent', answer: '250 ok' }] as const
    const next = await store.ledger.claim('me', 'launch', { limit: 1, which: 'untried' }, ended(a))
    expect(next).toMatchObject([{ email: person(3).email }])
    expect(await tallyOf(store, 'launch')).toMatchObject({ sent: 1, sending: 2, queued: 1 })
    await takeOver()
    const late = store.ledger.claim('me', 'launch', { limit: 1, which: 'untried' }, ended(b))
    await expect(late).rejects.toThrow(LockLost)
    expect(await tallyOf(store, 'launch')).toMatchObject({ sent: 2, sending: 1, queued: 1 })
  })

  it('lets only the holder of the lock go on', async () => {
    await announced(2)
    await takeOver()
    const attempts = [
      () => store.ledger.begin('me', 'launch', letter),
      () => store.ledger.enlist('me', 'launch', [{ number: 1 }]),
      () => store.ledger.countEligible('me', 'launch'),
      () => claim(1),
      () => store.ledger.settle('me', 'launch'),
      () => store.ledger.requeue('me', 'launch', 'failed'),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow(LockLost)
    expect(await tallyOf(store, 'launch')).toMatchObject({ queued: 2 })
  })

  it('lets nobody go on whose lease has run out, though nobody else wants the lock', async () => {
    await announced(2)
    await store.lock.acquire({ owner: 'me', host: 'here', pid: 7 }, 1, 'me')
    await expect.poll(() => claim(1).catch((error) => error)).toBeInstanceOf(LockLost)
  })

  it('believes a late answer over a guess, but not over a later try', async () => {
    await announced(2)
    const [late, later] = await claim(2)
    if (!late || !later) throw new Error('two were to be claimed')
    await takeOver()
    await store.ledger.settle('you', 'launch')
    await finish([late], 'sent')
    expect(await tallyOf(store, 'launch')).toMatchObject({ sent: 1, uncertain: 1 })
    await store.ledger.requeue('you', 'launch', 'uncertain')
    await store.ledger.claim('you', 'launch', { limit: 1, which: 'tried' })
    await finish([later], 'failed')
    expect(await tallyOf(store, 'launch')).toMatchObject({ sending: 1, failed: 0 })
  })

  it('puts back as a tried one who was open when the list was copied', async () => {
    const [{ email }] = [person(1)]
    await store.list.importAll([person(1)])
    const row = { number: 1, addressId: ids.of(email), tries: 0 }
    const at = { changedAt: new Date(5000), answer: 'restored from a copy' }
    const announcement = { id: 'launch', ...letter, begunAt: new Date(4000) }
    await mergeCopy(store, { announcement, deliveries: [{ ...row, ...at, status: 'uncertain' }] })
    expect(await store.ledger.requeue('me', 'launch', 'uncertain')).toBe(1)
    expect(await tallyOf(store, 'launch')).toMatchObject({ queued: 1, untried: 0 })
    expect(await claim(1, 'tried')).toMatchObject([{ email, tries: 2 }])
    expect(await tallyOf(store, 'launch')).toMatchObject({ sending: 1, queued: 0 })
  })
})
