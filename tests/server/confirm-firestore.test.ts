/** @module-tag thorough */
import { describe, expect, it, onTestFinished } from 'vitest'
import product from '../../product.config.ts'
import { firestoreRules } from '../../scripts/firestore-rules.ts'
import { sweep } from '../../src/server/sweep.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { openApp, signIn, subscribe } from '../fixtures/app.ts'
import { answer, letterTo, startConfirming, untilEmpty } from '../fixtures/confirming.ts'
import { ids } from '../fixtures/keys.ts'
import { emptyFirestore } from '../store/every-store.ts'

describe('with confirmation on, on Firestore', () => {
  const emulator = withFirestoreEmulator(firestoreRules(product.appId))

  it('people sign up, confirm, leave and come back, and a program that presses both is asked', async () => {
    const store = await emptyFirestore(emulator().origin)
    onTestFinished(() => store.close())
    const { app } = await openApp({ store, suppressions: store, outbox: store })
    const { relay } = await startConfirming(store)
    const visitor = await signIn(app)
    const [ada, bob, eve] = ['ada@example.com', 'bob@example.com', 'eve@example.com']
    for (const email of [ada, bob, eve])
      expect((await subscribe(app, visitor, email)).statusCode).toBe(201)
    const { path } = await letterTo(relay, ada)
    for (let i = 0; i < 20; i++) await app.inject({ url: path })
    expect(await store.count()).toBe(0)
    const presses = Array.from({ length: 100 }, () => answer(app, path, { answer: 'yes' }))
    expect(new Set((await Promise.all(presses)).map(({ page }) => page))).toEqual(new Set(['done']))
    expect(await store.count()).toBe(1)

    const scanned = await letterTo(relay, bob)
    for (const one of ['yes', 'no', 'yes']) await answer(app, scanned.path, { answer: one })
    expect(await store.countIn({})).toBe(1)
    expect((await answer(app, scanned.path, { code: scanned.code })).page).toBe('done')
    expect(await store.countIn({})).toBe(2)

    await store.unsubscribe(ids.of(ada))
    await store.forget(bob)
    await subscribe(app, visitor, ada)
    await subscribe(app, visitor, bob)
    expect(await store.standing(ada)).toMatchObject({ standing: 'unsubscribed' })
    expect(await store.standing(bob)).toMatchObject({ standing: 'forgotten' })
    // Ada's mailbox has had a letter, and waits for its next.
    const toBob = () => relay.accepted.filter(({ to }) => to === bob).length
    await expect.poll(toBob, { timeout: 10_000 }).toBe(2)
    expect((await answer(app, scanned.path, { answer: 'yes' })).page).toBe('done')
    expect(await store.standing(bob)).toBeUndefined()
    expect(await store.find(bob)).toBeDefined()

    await letterTo(relay, eve)
    await store.forget(ada)
    await untilEmpty(store)
    await sweep(store, new Date(Date.now() + 15 * 86_400_000))
    const left = []
    for await (const one of store.pending()) left.push(one.email)
    expect(left).toEqual([])
    expect((await store.outboxCounts()).expired).toBeGreaterThan(0)
  })
})
