import { describe, expect, it } from 'vitest'
import { consentIn, type Pending } from '../../src/people/pending.ts'
import type { DecideLetter } from '../../src/people/requests.ts'
import { letterTo, startConfirming } from '../fixtures/confirming.ts'
import { eachHasStore, store } from '../fixtures/each-store.ts'
import { ids } from '../fixtures/keys.ts'
import { receipt } from '../fixtures/receipt.ts'

const shown = { words: 'Notify Me', page: 'a1b2', language: 'en' }
const LEASE_MS = 60_000

describe('the store, as the keeper of an outbox', () => {
  eachHasStore()

  const ada = 'ada@example.com'
  const ask = (email = ada, isCrowd = false) =>
    store.requests.requestConfirmation(email, { shown, isCrowd })
  const sending: DecideLetter = ({ email, at }, { pending }, now) => {
    const before = pending ?? { email, askedAt: at, shown, letters: 0 }
    return {
      isSent: true,
      pending: { ...before, letters: before.letters + 1, lastLetterAt: now },
    }
  }
  const claim = async (limit = 9, decide = sending, leaseMs = LEASE_MS) =>
    (await store.requests.claimLetters(limit, leaseMs, decide)).letters
  const consent = receipt('2026-01-02')
  const confirm = (email = ada) =>
    store.requests.changePending(ids.of(email), ({ pending }, now) => ({
      result: pending !== undefined,
      ...(pending && { pending: { ...pending, confirmedAt: now } }),
      consent,
    }))
  const hold = (email = ada) =>
    store.requests.changePending(ids.of(email), ({ pending }) => ({
      result: undefined,
      consent: null,
      ...(pending && { pending }),
    }))
  async function pending() {
    const all: Pending[] = []
    for await (const one of store.requests.pending()) all.push(one)
    return all
  }
  async function listed() {
    const all = []
    for await (const one of store.list.stream({ standing: 'all' })) all.push(one)
    return all
  }

  it('gives each row once, with what is known of the address, until it is settled', async () => {
    await ask()
    const [letter] = await claim()
    expect(letter).toMatchObject({
      request: { email: ada, addressId: ids.of(ada), shown, tries: 0 },
      pending: { email: ada, letters: 1 },
      before: undefined,
    })
    expect(await claim()).toEqual([])
    if (letter) await store.requests.settleLetters([{ request: letter.request }])
    expect(await store.requests.counts()).toEqual({ waiting: 0, expired: 0 })
    expect(await pending()).toMatchObject([{ email: ada, letters: 1, shown }])
  })

  it('gives a row again when its lease has run out, as one that was tried', async () => {
    await ask()
    await claim(1, sending, 0)
    const [again] = await claim()
    expect(again).toMatchObject({
      request: { tries: 1 },
      pending: { letters: 2 },
    })
  })

  it('holds up nobody by rows that lead to no letter, however many came before', {
    tags: 'thorough',
  }, async () => {
    // A store looks at fifty at a time.
    const listed = Array.from({ length: 101 }, (_, n) => `listed${n}@example.com`)
    const subscribedAt = new Date(Date.UTC(2026, 0, 1))
    await store.list.importAll(listed.map((email) => ({ email, subscribedAt })))
    for (const email of listed) await ask(email)
    await ask()
    // It looks once in ten minutes, unless it goes on by itself.
    const { relay } = await startConfirming(store.requests, undefined, {
      times: { look: 600_000 },
    })
    await letterTo(relay, ada)
    expect(relay.accepted).toHaveLength(1)
  })

  it('says whether rows may be left that are due, and comes to an end', async () => {
    for (let n = 0; n < 51; n++) await ask(`visitor${n}@example.com`)
    const look = (limit: number) => store.requests.claimLetters(limit, LEASE_MS, decide)
    const dueAt = new Date(Date.now() + LEASE_MS)
    let decide: DecideLetter = sending
    expect((await look(1)).isMore).toBe(true)
    decide = () => ({ dueAt })
    expect(await look(9)).toEqual({ letters: [], isMore: true })
    expect(await look(9)).toEqual({ letters: [], isMore: false })
  })

  it('tells of all that had letters and lead to the same mailbox', async () => {
    const [tagged, other] = ['ada+1@example.com', 'bob@example.com']
    for (const email of [ada, other]) await ask(email)
    await claim()
    await ask(tagged)
    let found: readonly string[] = []
    await claim(9, (_request, { mailbox }) => {
      found = mailbox.map(({ email }) => email)
      return {}
    })
    expect(found).toEqual([ada])
  })

  it('tells of one whose letter was refused, too: it is none of the mailbox’s, and has its time', async () => {
    await ask()
    const [letter] = await claim()
    if (!letter) throw new Error('nothing was given')
    await store.requests.settleLetters([{ ...letter, change: (one) => ({ ...one, letters: 0 }) }])
    await ask('ada+1@example.com')
    let found: readonly Pending[] = []
    await claim(9, (_request, { mailbox }) => {
      found = mailbox
      return {}
    })
    expect(found).toMatchObject([{ email: ada, letters: 0, lastLetterAt: expect.any(Date) }])
  })

  it('tells whether somebody is on the list, and why they are not written to', async () => {
    const look = async () => {
      await ask()
      let found: object = {}
      await claim(9, (_request, { isOnList, standing }) => {
        found = { isOnList, standing: standing?.standing }
        return {}
      })
      return found
    }
    expect(await look()).toEqual({ isOnList: false, standing: undefined })
    await store.list.add(ada)
    expect(await look()).toEqual({ isOnList: true, standing: undefined })
    await store.standings.unsubscribe(ids.of(ada))
    expect(await look()).toEqual({ isOnList: true, standing: 'unsubscribed' })
    await store.standings.forget(ada)
    expect(await look()).toEqual({ isOnList: false, standing: 'forgotten' })
  })

  it('puts whoever confirmed on the list, as of when they asked, with the receipt', async () => {
    await ask()
    const [letter] = await claim()
    expect(await confirm()).toBe(true)
    const [one] = await listed()
    expect(one).toMatchObject({ email: ada, standing: 'subscribed' })
    expect(one?.subscribedAt).toEqual(letter?.request.at)
    expect(consentIn(one?.extra)).toEqual(consent)
  })

  it('lifts what their owner said by a confirmation, and by nothing before', async () => {
    for (const leave of [
      () => store.standings.unsubscribe(ids.of(ada)),
      () => store.standings.forget(ada),
    ]) {
      await store.list.add(ada)
      await leave()
      const before = await store.standings.of(ada)
      await ask()
      await claim()
      expect(await store.standings.of(ada)).toEqual(before)
      await confirm()
      expect(await store.standings.of(ada)).toBeUndefined()
      expect(await store.list.find(ada)).toBeDefined()
    }
  })

  it('erases what is over, counts who never confirmed, and names those who were held', async () => {
    for (const name of ['gone', 'here', 'confirmed']) await ask(`${name}@example.com`)
    await claim()
    await confirm('confirmed@example.com')
    const passed = 15 * 86_400_000
    const aged = (name: string) =>
      store.requests.changePending(ids.of(`${name}@example.com`), ({ pending }, now) => {
        const before = new Date(now.getTime() - passed)
        return {
          result: undefined,
          ...(pending && { pending: { ...pending, askedAt: before, lastLetterAt: before } }),
        }
      })
    for (const name of ['gone', 'confirmed']) await aged(name)
    expect(await store.requests.sweepPending(new Date())).toEqual([])
    expect(await pending()).toMatchObject([{ email: 'here@example.com' }])
    expect((await store.requests.counts()).expired).toBe(1)
    await hold('here@example.com')
    const later = new Date(Date.now() + passed)
    expect(await store.requests.sweepPending(later)).toEqual(['here@example.com'])
    expect((await store.requests.counts()).expired).toBe(1)
    // Whoever is killed before they forgot them is told again.
    expect(await store.requests.sweepPending(later)).toEqual(['here@example.com'])
    await store.standings.forget('here@example.com')
    expect(await pending()).toEqual([])
  })
})
