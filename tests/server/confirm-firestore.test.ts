/** @module-tag thorough */

import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { firestoreRules } from '../../scripts/firestore-rules.ts'
import { takeInBrowserRequests } from '../../src/server/browser-requests.ts'
import { sweep } from '../../src/server/sweep-requests.ts'
import { confirmationRequestsPath, subscribersPath } from '../../src/shared/subscriber.ts'
import { consentIn } from '../../src/store/pending.ts'
import { firestoreRest } from '../emulators/firestore-rest.ts'
import { newVisitor, record } from '../emulators/firestore-visitor.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { openApp, signIn, subscribe } from '../fixtures/app.ts'
import { answer, letterTo, startConfirming, untilEmpty } from '../fixtures/confirming.ts'
import { ids } from '../fixtures/keys.ts'
import { emptyFirestore } from '../store/every-store.ts'

describe('with confirmation on, on Firestore', () => {
  const emulator = withFirestoreEmulator()

  it('people sign up, confirm, leave and come back, and a program that presses both is asked', {
    tags: 'long',
  }, async () => {
    const store = await emptyFirestore(emulator().origin)
    onTestFinished(() => store.close())
    const { app } = await openApp({ store, suppressions: store.standings, outbox: store.outbox })
    const { relay } = await startConfirming(store.outbox)
    const visitor = await signIn(app)
    const [ada, bob, eve] = ['ada@example.com', 'bob@example.com', 'eve@example.com']
    for (const email of [ada, bob, eve])
      expect((await subscribe(app, visitor, email)).statusCode).toBe(201)
    const { path } = await letterTo(relay, ada)
    for (let i = 0; i < 20; i++) await app.inject({ url: path })
    expect(await store.list.count()).toBe(0)
    const presses = Array.from({ length: 100 }, () => answer(app, path, { answer: 'yes' }))
    expect(new Set((await Promise.all(presses)).map(({ page }) => page))).toEqual(new Set(['done']))
    expect(await store.list.count()).toBe(1)

    const scanned = await letterTo(relay, bob)
    for (const one of ['yes', 'no', 'yes']) await answer(app, scanned.path, { answer: one })
    expect(await store.list.countIn({})).toBe(1)
    expect((await answer(app, scanned.path, { code: scanned.code })).page).toBe('done')
    expect(await store.list.countIn({})).toBe(2)

    await store.standings.unsubscribe(ids.of(ada))
    await store.standings.forget(bob)
    await subscribe(app, visitor, ada)
    await subscribe(app, visitor, bob)
    expect(await store.standings.of(ada)).toMatchObject({ standing: 'unsubscribed' })
    expect(await store.standings.of(bob)).toMatchObject({ standing: 'forgotten' })
    // Ada's mailbox has had a letter, and waits for its next.
    const toBob = () => relay.accepted.filter(({ to }) => to === bob).length
    await expect.poll(toBob, { timeout: 10_000 }).toBe(2)
    expect((await answer(app, scanned.path, { answer: 'yes' })).page).toBe('ended')
    const { path: anew } = await letterTo(relay, bob)
    expect((await answer(app, anew, { answer: 'yes' })).page).toBe('done')
    expect(await store.standings.of(bob)).toBeUndefined()
    expect(await store.list.find(bob)).toBeDefined()

    await letterTo(relay, eve)
    await store.standings.forget(ada)
    await untilEmpty(store.outbox)
    await sweep(store, new Date(Date.now() + 15 * 86_400_000))
    const left = []
    for await (const one of store.outbox.pending()) left.push(one.email)
    expect(left).toEqual([])
    expect((await store.outbox.counts()).expired).toBeGreaterThan(0)
  })
})

describe('with confirmation on, who signs up on a page without our server', () => {
  const emulator = withFirestoreEmulator()

  async function stage() {
    const { origin } = emulator()
    const projectId = `demo-${randomUUID()}`
    const { appId } = product
    const rest = firestoreRest(origin, projectId)
    await rest.setRules(firestoreRules(appId, true))
    const store = await emptyFirestore(origin, { projectId, appId })
    onTestFinished(() => store.close())
    const { app } = await openApp({ store, suppressions: store.standings, outbox: store.outbox })
    /** As the page does it; the rules take it. */
    async function signUp(email: string) {
      const { token, path } = await newVisitor(projectId, appId)
      const [list, requests] = [subscribersPath(appId), confirmationRequestsPath(appId)]
      const place = path.replace(list.slice(1), requests.slice(1))
      expect(await rest.commit([record(email, place)], token)).toBe(200)
    }
    const takeIn = () => {
      const log = { warn: (message: string) => expect.unreachable(message) } as never
      const shown = { words: 'Notify me', page: 'of the server', language: 'en' }
      const pages = { page: shown, openPage: { ...shown, words: 'Open now' } }
      const opening = { url: () => undefined }
      const taking = takeInBrowserRequests(store.browserRequests, pages, opening, log, 20)
      onTestFinished(() => taking.close())
      return taking
    }
    const emails = async (selection: Parameters<typeof store.list.stream>[0] = {}) => {
      const found = []
      for await (const { email } of store.list.stream(selection)) found.push(email)
      return found
    }
    return { store, app, signUp, takeIn, emails }
  }

  it('is asked, and on the list when they confirmed, as of when they signed up', async () => {
    const { store, app, signUp, takeIn, emails } = await stage()
    await signUp('ada@example.com')
    // Nobody is told of it, nor counted, whatever is started before our server has seen it.
    expect(await emails({ standing: 'all' })).toEqual([])
    expect((await store.list.overview(new Date(0), () => {})).records).toBe(0)
    await store.lock.acquire({ owner: 'me', host: 'here', pid: 7 }, 3_600_000)
    const { cutOff } = await store.ledger.begin('me', 'launch', { subject: 'x', digest: 'x' })
    expect(await store.list.countIn({ until: cutOff })).toBe(0)

    takeIn()
    const { relay } = await startConfirming(store.outbox)
    const { path } = await letterTo(relay, 'ada@example.com')
    expect(await emails({ standing: 'all' })).toEqual([])
    expect((await answer(app, path, { answer: 'yes' })).page).toBe('done')
    const found = []
    for await (const one of store.list.stream()) found.push(one)
    const [ada] = found
    const consent = consentIn(ada?.extra)
    expect(ada?.email).toBe('ada@example.com')
    expect(consent).toMatchObject({ words: 'Notify me', page: 'on Firebase', how: 'button' })
    expect(consent?.askedAt).toBe(ada?.subscribedAt.toISOString())
  })

  it('is not asked again who is on the list, and who left comes back by confirming alone', async () => {
    const { store, app, signUp, takeIn, emails } = await stage()
    const [listed, left, gone] = ['listed@example.com', 'left@example.com', 'gone@example.com']
    for (const email of [listed, left, gone]) await store.list.add(email)
    await store.standings.unsubscribe(ids.of(left))
    await store.standings.forget(gone)
    for (const email of [listed, left, gone]) await signUp(email)
    takeIn()
    const { relay } = await startConfirming(store.outbox)
    const toLeft = await letterTo(relay, left)
    const toGone = await letterTo(relay, gone)
    await untilEmpty(store.outbox)
    expect(relay.accepted.map(({ to }) => to).toSorted()).toEqual([gone, left])
    expect(await emails()).toEqual([listed])
    expect(await store.standings.of(left)).toMatchObject({ standing: 'unsubscribed' })
    for (const { path } of [toLeft, toGone])
      expect((await answer(app, path, { answer: 'yes' })).page).toBe('done')
    expect((await emails()).toSorted()).toEqual([gone, left, listed])
  })

  it('gets one letter, however often the address is left and however many servers there are', async () => {
    const { store, signUp, takeIn } = await stage()
    takeIn()
    takeIn()
    const { relay } = await startConfirming(store.outbox)
    for (let i = 0; i < 12; i += 1) await signUp(i % 2 ? 'ada@example.com' : 'a.d.a+x@gmail.com')
    await letterTo(relay, 'ada@example.com')
    await letterTo(relay, 'a.d.a+x@gmail.com')
    await untilEmpty(store.outbox)
    expect(relay.accepted).toHaveLength(2)
  })

  it('is kept with the signs that an address shows by itself', { tags: 'long' }, async () => {
    const { store, signUp, takeIn } = await stage()
    for (let n = 0; n < 11; n += 1) await signUp(`p${n}@mailinator.com`)
    await signUp('zoe@example.com')
    await takeIn().close()
    await startConfirming(store.outbox)
    // Ten at one domain are unanswered.
    await expect.poll(store.outbox.heldLetters, { timeout: 10_000 }).toMatchObject({ domain: 1 })
    await store.outbox.releaseLetters('domain')
    await untilEmpty(store.outbox)
    const seen = []
    for await (const { email, suspicion } of store.outbox.pending())
      if (suspicion) seen.push([email.split('@')[1], suspicion])
    expect(seen).toEqual([['mailinator.com', 'domain-share, disposable-domain']])
  })

  it('goes before a crowd of one domain', { tags: 'long' }, async () => {
    const { store, signUp, takeIn } = await stage()
    for (let n = 0; n < 30; n += 1) await signUp(`a${n}@evil.example`)
    await signUp('zoe@example.com')
    // A round that has begun is done before it closes.
    await takeIn().close()
    const { relay } = await startConfirming(store.outbox)
    await letterTo(relay, 'zoe@example.com')
    await expect.poll(store.outbox.heldLetters, { timeout: 20_000 }).toMatchObject({ domain: 20 })
    await expect.poll(() => relay.accepted, { timeout: 10_000 }).toHaveLength(11)
    const sent = relay.accepted.map(({ to }) => to)
    expect(sent.indexOf('zoe@example.com')).toBeLessThanOrEqual(10)
  })
})
