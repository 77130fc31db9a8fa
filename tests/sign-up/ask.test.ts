import { describe, expect, it } from 'vitest'
import product from '../../product.config.ts'
import type { Waits } from '../../src/announcement/sending/rows-in-hand.ts'
import type { AnnounceOptions } from '../../src/announcement/tell-everyone.ts'
import { confirmationCounts } from '../../src/audience/confirmation-counts.ts'
import { confirmationKeys } from '../../src/keys/confirmation-keys.ts'
import { letterRule } from '../../src/people/letter-rule.ts'
import { consentIn } from '../../src/people/pending.ts'
import { press } from '../../src/people/press-button.ts'
import { sweep } from '../../src/server/sweep-requests.ts'
import { asking } from '../../src/sign-up/ask.ts'
import { confirmationLetter } from '../../src/sign-up/confirmation-letter.ts'
import { ASK } from '../../src/store/delivery-ledger.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { openApp } from '../fixtures/app.ts'
import { answer, letterTo } from '../fixtures/confirming.ts'
import { enlist } from '../fixtures/enlist.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { quick, setStage } from '../fixtures/stage.ts'
import { suppressedOf } from '../fixtures/tally.ts'
import { person } from '../store/contracts/people.ts'

const DAY_MS = 86_400_000
const keys = confirmationKeys(linkKey)
const shown = { words: 'Notify Me', page: 'a1', language: 'en' }
const marks = { messageId: '<one@example.com>', letterDigest: 'digest' }
const [one, two, three, four] = [1, 2, 3, 4].map((n) => person(n).email) as [
  string,
  string,
  string,
  string,
]

const testLetter = () =>
  confirmationLetter({
    product,
    from: 'Meridian <hello@example.com>',
    linkKey,
    confirmUrl: 'https://example.com/confirm',
    unsubscribeUrl: 'https://example.com/leave',
  })

/** People who are on the list already, and whoever asks them. */
async function openAsking(...given: Parameters<typeof setStage>) {
  const stage = await setStage(...given)
  const { store } = stage
  const message = asking({ ...store, product, letter: testLetter() })
  return {
    ...stage,
    message,
    ask: (options: Partial<AnnounceOptions> = {}) =>
      stage.run({
        id: ASK,
        message,
        letter: { subject: 'Please confirm', digest: 'ask' },
        leavesOut: ({ extra }) => (consentIn(extra) ? 'confirmed' : undefined),
        ...options,
      }),
    presses: (email: string, ...buttons: ('yes' | 'no')[]) =>
      buttons.reduce<Promise<unknown>>(
        (before, button) =>
          before.then(() =>
            store.requests.changePending(ids.of(email), press(keys, ids.of(email), button)),
          ),
        Promise.resolve(),
      ),
    /** Somebody signs up with confirmation on, and confirms. */
    async confirmsByThemselves(email: string) {
      await store.requests.requestConfirmation(email, { shown, isCrowd: false })
      await store.requests.claimLetters(
        9,
        60_000,
        letterRule(() => marks),
      )
      await store.requests.changePending(ids.of(email), press(keys, ids.of(email), 'yes'))
    },
    sweepLater: () => sweep(store, new Date(Date.now() + 15 * DAY_MS)),
    listed: async () => (await confirmationCounts(store))?.listed,
    async mayBeTold() {
      const emails = []
      for await (const { email } of store.list.stream()) emails.push(email)
      return emails
    },
  }
}

describe('whoever is on the list from before', () => {
  it('is asked once, with a letter that says only what is true, and stays if they do not answer', async () => {
    const { ask, inboxes, relay, mayBeTold, sweepLater, listed } = await openAsking(3)
    const { balance } = await ask({ first: () => 1 })
    expect(balance).toMatchObject({ holds: true, tally: { sent: 1, queued: 2 } })
    await ask()
    await ask({ includeNew: true })
    expect(inboxes()).toEqual([one, two, three])
    const { text = '', headers } = await relay.messageTo(two)
    expect(text).toContain('According to that list, it signed up on 1 January 2026.')
    expect(text).toContain('nothing changes: the address stays on the list.')
    expect(text).not.toMatch(/was left on|is erased\. If you do not/)
    expect(headers.find(({ key }) => key === 'list-unsubscribe')?.value).toMatch(
      /^<https:\/\/example\.com\/leave\/[\w-]{44}>$/,
    )
    expect(await listed()).toMatchObject({ asked: 3, confirmed: 0, unanswered: 3 })
    await sweepLater()
    expect(await mayBeTold()).toEqual([one, two, three])
    expect(await listed()).toMatchObject({ asked: 3, unanswered: 3 })
  })

  it('gets a receipt when they confirm, which says how long they were on the list', async () => {
    const { ask, store, relay, listed } = await openAsking(2)
    await ask()
    const { app } = await openApp({
      store,
      suppressions: store.standings,
      requests: store.requests,
    })
    const { path } = await letterTo(relay, one)
    expect((await answer(app, path, { answer: 'yes' })).page).toBe('done')
    const { consent } = await store.requests.changePending(ids.of(one), (result) => ({ result }))
    expect(consent).toMatchObject({
      listedAt: person(1).subscribedAt.toISOString(),
      how: 'button',
      words: `Was this you? To be told when ${product.name} goes live.`,
      page: '',
      messageId: (await relay.messageTo(one)).messageId,
    })
    expect(await store.list.find(one)).toEqual(person(1))
    expect(await listed()).toMatchObject({ asked: 2, confirmed: 1, unanswered: 1 })
  })

  it('is told nothing from then on who says that it was not them, and is erased after the time', async () => {
    const { ask, store, presses, mayBeTold, sweepLater, listed } = await openAsking(2)
    await ask()
    await presses(one, 'no')
    expect(await mayBeTold()).toEqual([two])
    expect(await listed()).toMatchObject({ asked: 2, saidNo: 1, unanswered: 1 })
    await sweepLater()
    expect(await store.list.find(one)).toBeUndefined()
    expect(await store.standings.of(one)).toMatchObject({ standing: 'forgotten' })
    expect(await listed()).toMatchObject({ asked: 1, saidNo: 0 })
  })

  it.for([['no', 'yes'] as const, ['yes', 'no'] as const, ['yes', 'no', 'yes', 'no'] as const])(
    'stands as before where a program presses both buttons: %s',
    async (buttons) => {
      const { ask, store, presses, mayBeTold, sweepLater } = await openAsking(1)
      await ask()
      await presses(one, ...buttons)
      expect(await store.standings.of(one)).toBeUndefined()
      expect(
        await store.requests.changePending(ids.of(one), ({ consent }) => ({ result: consent })),
      ).toBe(undefined)
      await sweepLater()
      expect(await mayBeTold()).toEqual([one])
    },
  )

  it('is asked in vain after they left, and is not put back; a bounce is lifted', async () => {
    const { ask, store, presses, sweepLater } = await openAsking(2)
    await ask()
    await store.standings.unsubscribe(ids.of(one))
    await store.standings.set([{ email: two, standing: 'bounced' }])
    expect(await store.standings.of(two)).toMatchObject({ standing: 'bounced' })
    for (const email of [one, two]) await presses(email, 'yes')
    await sweepLater()
    expect(await store.standings.of(one)).toMatchObject({ standing: 'unsubscribed' })
    // Their mailbox answered, after what was heard of it.
    expect(await store.standings.of(two)).toBeUndefined()
    await store.standings.set([{ email: two, standing: 'bounced', at: new Date(0) }])
    expect(await store.standings.of(two)).toBeUndefined()
  })
})

describe('nobody is asked', () => {
  it('who confirmed, who left, or who does so before their turn', async () => {
    const { ask, store, inboxes, confirmsByThemselves, relay } = await openAsking(4)
    await store.standings.unsubscribe(ids.of(two))
    await store.standings.forget(three)
    await confirmsByThemselves(three)
    await ask({ first: () => 1 })
    // On the list of those to be asked by now, and done with it before that.
    await store.standings.unsubscribe(ids.of(four))
    await confirmsByThemselves(four)
    const { balance } = await ask()
    expect(inboxes()).toEqual([one])
    expect(balance).toMatchObject({ holds: true, tally: { sent: 1, suppressed: 3, queued: 0 } })
    expect(await suppressedOf(store, ASK)).toMatchObject({ confirmed: 2, unsubscribed: 1 })
    expect(relay.accepted).toHaveLength(1)
  })

  it('who went in the moment before their letter, and the reason is given', async () => {
    const { store, message } = await openAsking(3)
    await store.standings.forget(one)
    await store.standings.set([{ email: two, standing: 'bounced' }])
    const recipient = (email: string) => ({ email, addressId: ids.of(email) })
    expect(await message(recipient(one))).toEqual({ leftOut: 'forgotten' })
    expect(await message(recipient(two))).toEqual({ leftOut: 'bounced' })
    expect(await message(recipient(three))).toHaveProperty('message')
  })

  it('who left the address by themselves and said no, before it came with a file', async () => {
    const { store, message, presses } = await openAsking(0)
    await store.requests.requestConfirmation(one, { shown, isCrowd: false })
    await store.requests.claimLetters(
      9,
      60_000,
      letterRule(() => marks),
    )
    await presses(one, 'no')
    await store.list.importAll([person(1)])
    expect(await message({ email: one, addressId: ids.of(one) })).toEqual({ leftOut: 'pending' })
  })

  it('more than once in fifteen minutes and three times in all, at whatever alias of their mailbox', async () => {
    const { ask, store, inboxes } = await openAsking(0)
    const stop = new AbortController()
    const aliases = [1, 2, 3, 4].map((n) => `ada+${n}@gmail.com`)
    const since = (n: number) => new Date(Date.UTC(2026, 0, 1, n))
    await store.list.importAll(aliases.map((email, n) => ({ email, subscribedAt: since(n) })))
    const waiting: Waits[] = []
    const end = await ask({
      signal: stop.signal,
      on: {
        settled: () => {},
        enlisting: () => {},
        begun: () => {},
        result: () => {},
        waiting: (what) => {
          waiting.push(what)
          stop.abort()
        },
      },
    })
    expect(end.why).toBe('interrupted')
    expect(waiting).toEqual([{ code: 'retry', people: 2 }])
    expect(inboxes()).toEqual([aliases[0]])
    expect(await suppressedOf(store, ASK)).toMatchObject({ mailbox: 1 })
  })

  it('again by a run after one that was killed, unless that is asked for, and then within the limits', async () => {
    const { ask, store, message, inboxes } = await openAsking(1)
    const owner = { owner: 'dead', host: 'here', pid: 1 }
    await store.lock.acquire(owner, 60_000)
    await store.ledger.begin('dead', ASK, { subject: 'Please confirm', digest: 'ask' })
    await enlist(store, 'dead', ASK, [person(1)])
    await store.ledger.countEligible('dead', ASK)
    const [claimed] = await store.ledger.claim('dead', ASK, { limit: 1, which: 'untried' })
    if (!claimed) throw new Error('nobody was to be asked')
    // The letter is noted, and then the process is gone.
    await message(claimed)
    await store.lock.release('dead')
    expect((await ask()).balance).toMatchObject({ holds: true, tally: { uncertain: 1 } })
    expect(inboxes()).toEqual([])
    const stop = new AbortController()
    const quietly = { settled() {}, enlisting() {}, begun() {}, result() {} }
    await ask({
      retry: 'uncertain',
      signal: stop.signal,
      on: { ...quietly, waiting: () => stop.abort() },
    })
    expect(inboxes()).toEqual([])
  })
})

it('counts no letter that did not leave, and says why others failed', async () => {
  const behaviour = (to: string) => (to === one ? 'defer' : to === two ? 'refuse' : 'accept')
  const { ask, store, listed } = await openAsking(3, behaviour)
  const { balance } = await ask({ retryPolicy: { ...quick, tries: 2 } })
  expect(balance).toMatchObject({ holds: true, tally: { sent: 1, failed: 2 } })
  const letters = new Map<string, unknown>()
  for await (const { email, letters: count, failure } of store.requests.pending())
    letters.set(email, [count, failure?.slice(0, 3)])
  expect(Object.fromEntries(letters)).toEqual({
    [one]: [0, '451'],
    [two]: [0, '550'],
    [three]: [1, undefined],
  })
  expect(await listed()).toMatchObject({ asked: 1, failed: 2 })
})

describe('a letter that left while the store was away', () => {
  const settledWith = async (fault: Error) => {
    const { store } = await openAsking(1)
    let isAway = false
    const message = asking({
      product,
      letter: testLetter(),
      list: store.list,
      requests: {
        changePending: (...given) =>
          isAway ? Promise.reject(fault) : store.requests.changePending(...given),
      },
    })
    const asked = await message({ email: one, addressId: ids.of(one) })
    if (!('message' in asked)) throw new Error('nobody was to be asked')
    isAway = true
    return asked.settle({ kind: 'unsent', answer: 'away' })
  }

  it('counts, as if it had arrived', async () => {
    await expect(settledWith(new StoreUnavailable('no disk'))).resolves.toBeUndefined()
  })

  it('is no reason to hide a fault of ours', async () => {
    await expect(settledWith(new Error('a fault'))).rejects.toThrow('a fault')
  })
})

it('leaves nobody out of an announcement', async () => {
  const { ask, run, inboxes, presses } = await openAsking(4)
  await ask()
  await presses(one, 'yes')
  await presses(two, 'no')
  await presses(three, 'yes', 'no')
  const before = inboxes().length
  const { balance } = await run()
  expect(inboxes().slice(before).toSorted()).toEqual([one, three, four])
  expect(balance).toMatchObject({ holds: true, eligible: 4, tally: { sent: 3, suppressed: 1 } })
})
