import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, vi } from 'vitest'
import product from '../../product.config.ts'
import { consentIn } from '../../src/people/pending.ts'
import { paths } from '../../src/shared/api.ts'
import type { Store } from '../../src/store/store.ts'
import { openApp, openSince, postForm, signIn, subscribe } from '../fixtures/app.ts'
import { answer, letterTo, startConfirming, untilEmpty } from '../fixtures/confirming.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const ada = 'ada@example.com'

async function openAsking(
  ...relay: Parameters<typeof startConfirming> extends [unknown, ...infer R] ? R : never
) {
  const dir = tempDir()
  const file = join(dir, 'subscribers.sqlite')
  const store = storeOnFile(file)
  const { app, logged } = await openApp({
    store,
    suppressions: store.standings,
    requests: store.requests,
  })
  const confirming = await startConfirming(store.requests, ...relay)
  const visitor = await signIn(app)
  return {
    ...confirming,
    app,
    store,
    dir,
    logged,
    signUp: (email = ada) => subscribe(app, visitor, email),
  }
}

async function listed(store: Store) {
  const all = []
  for await (const one of store.list.stream({ standing: 'all' })) all.push(one)
  return all
}

describe('with confirmation on', () => {
  it('a sign-up is answered as ever, and a letter asks before anybody is on the list', {
    tags: 'thorough',
  }, async () => {
    const { app, store, relay, signUp } = await openAsking()
    const { statusCode, body } = await signUp()
    expect({ statusCode, body }).toEqual({ statusCode: 201, body: '{}' })
    expect((await postForm(app, { email: 'bob@example.com' })).headers.location).toBe(
      paths.subscribed,
    )
    const { letter, path } = await letterTo(relay, ada)
    await letterTo(relay, 'bob@example.com')
    expect(letter).toMatchObject({
      subject: `Please confirm your email address for ${product.name}`,
      attachments: [],
      from: { name: 'Meridian', address: 'hello@example.com' },
    })
    expect(letter.html).toMatch(/<strong>\d{3}&nbsp;\d{3}<\/strong>\./)
    expect(letter.html).not.toMatch(/<img|https?:\/\/(?!example\.com\/confirm\/)/)
    expect(await store.list.count()).toBe(0)
    expect(await answer(app, path, { answer: 'yes' })).toMatchObject({
      statusCode: 200,
      page: 'done',
    })
    expect(await listed(store)).toMatchObject([{ email: ada, standing: 'subscribed' }])
  })

  it('an address that was left on the open page is asked about news, and promised no opening', async () => {
    const { app, store, relay } = await openAsking()
    await postForm(app, { email: ada, isOpen: 'true' })
    const { letter, path } = await letterTo(relay, ada)
    expect(letter.text).toContain(`left on example.com, for news of ${product.name}.`)
    expect(letter.text).not.toContain('goes live')
    expect((await app.inject({ url: path })).body).toContain('id="news-ask"')
    expect((await answer(app, path, { answer: 'yes' })).page).toBe('news-done')
    // The receipt has it as well, once the request is over.
    expect(await listed(store)).toMatchObject([{ extra: { consent: { isForNews: true } } }])
    expect((await answer(app, path, { answer: 'no' })).page).toBe('code')
  })

  it('a look at the page acts for nobody, however often and by whatever method', {
    tags: 'thorough',
  }, async () => {
    const { app, store, relay, signUp } = await openAsking()
    await signUp()
    const { path } = await letterTo(relay, ada)
    for (let i = 0; i < 1000; i++) {
      const look = await app.inject({ method: i % 2 ? 'GET' : 'HEAD', url: path })
      expect(look.statusCode).toBe(200)
    }
    for (const method of ['PUT', 'DELETE', 'OPTIONS'] as const)
      await app.inject({ method, url: path })
    await app.inject({ method: 'POST', url: path, payload: {} })
    expect(await store.list.count()).toBe(0)
    expect((await app.inject({ url: path })).body).toContain('id="ask"')
  })

  it('is answered by pages that nothing keeps, and that pass the link on to nobody', async () => {
    const { app, relay, signUp } = await openAsking()
    await signUp()
    const { path } = await letterTo(relay, ada)
    const { headers } = await app.inject({ url: path })
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    // Their style is their own, and the visitor's page is sent with nothing of it.
    expect(headers['content-security-policy']).toContain("style-src 'self' 'sha256-confirm-style';")
    const first = await app.inject({ url: '/' })
    expect(first.headers['content-security-policy']).not.toContain('confirm')
  })

  it('a hundred presses at the same moment confirm once, and are answered alike', async () => {
    const { app, store, relay, signUp } = await openAsking()
    await signUp()
    const { path } = await letterTo(relay, ada)
    const presses = Array.from({ length: 100 }, () => answer(app, path, { answer: 'yes' }))
    const answers = new Set((await Promise.all(presses)).map((one) => JSON.stringify(one)))
    expect(answers.size).toBe(1)
    expect(await store.list.count()).toBe(1)
    expect((await answer(app, path, { answer: 'yes' })).page).toBe('done')
  })

  it('keeps the receipt of the letter that was sent', async () => {
    const { app, store, relay, signUp } = await openAsking()
    await signUp()
    const { letter, path } = await letterTo(relay, ada)
    await answer(app, path, { answer: 'yes' })
    const [one] = await listed(store)
    expect(consentIn(one?.extra)).toMatchObject({
      words: 'Notify Me',
      language: 'en',
      how: 'button',
      messageId: letter.messageId,
      page: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
  })

  it('what is asked anew has a new link, and by the old one nothing is confirmed', async () => {
    const { app, store, relay, signUp } = await openAsking()
    await signUp()
    const { path: old, code: oldCode } = await letterTo(relay, ada)
    await untilEmpty(store.requests)
    await store.standings.forget(ada)
    await signUp()
    await expect.poll(() => relay.accepted.length, { timeout: 10_000 }).toBe(2)
    const { path } = await letterTo(relay, ada)
    expect(path).not.toBe(old)
    for (const fields of [{ answer: 'yes' }, { answer: 'no' }, { code: oldCode }])
      expect(await answer(app, old, fields)).toMatchObject({ statusCode: 410, page: 'ended' })
    expect((await app.inject({ url: old })).statusCode).toBe(410)
    expect(await store.list.count()).toBe(0)
    expect((await answer(app, path, { answer: 'yes' })).page).toBe('done')
    expect((await answer(app, old, { answer: 'no' })).page).toBe('ended')
    expect((await answer(app, path, {})).page).toBe('done')
  })

  it('asks nobody by an address that no letter can be sent to, and keeps why', async () => {
    const { store, relay, signUp } = await openAsking()
    const unmailable = ['root@[127.0.0.1]', '"vic<tim"@example.com']
    for (const email of unmailable) {
      const { statusCode, body } = await signUp(email)
      expect({ statusCode, body }).toEqual({ statusCode: 201, body: '{}' })
    }
    await signUp()
    await letterTo(relay, ada)
    await untilEmpty(store.requests)
    expect(relay.accepted.map(({ to }) => to)).toEqual([ada])
    const kept = []
    for await (const one of store.requests.pending()) kept.push(one)
    for (const email of unmailable)
      expect(kept).toContainEqual(
        expect.objectContaining({ email, letters: 0, failure: 'unmailable' }),
      )
  })

  it('logs no address and no token', async () => {
    const { app, relay, signUp, logged } = await openAsking()
    await signUp()
    const { path } = await letterTo(relay, ada)
    await app.inject({ url: path })
    await answer(app, path, { answer: 'yes' })
    expect(logged()).not.toContain(ada)
    expect(logged()).not.toContain(path.slice(-44))
  })
})

describe('the database', () => {
  it('may be away: a press is not answered as if it had worked', { tags: 'thorough' }, async () => {
    const { app, relay, signUp, dir, store } = await openAsking()
    await signUp()
    const { path } = await letterTo(relay, ada)
    await untilEmpty(store.requests)
    const holder = new DatabaseSync(join(dir, 'subscribers.sqlite'))
    holder.exec('BEGIN IMMEDIATE')
    const away = await answer(app, path, { answer: 'yes' })
    holder.close()
    expect(away).toMatchObject({ statusCode: 503, page: 'unavailable' })
    expect(await answer(app, path, { answer: 'yes' })).toMatchObject({ statusCode: 200 })
    expect(await listed(store)).toHaveLength(1)
  })
})

describe('the mail server', () => {
  it('may be away: the visitor is thanked, and the letter leaves when it is back', async () => {
    let isAway = true
    const { store, relay, said, signUp } = await openAsking(() =>
      isAway ? 'drop-at-recipient' : 'accept',
    )
    expect((await signUp()).statusCode).toBe(201)
    await vi.waitUntil(() => said.length > 0, 10_000)
    isAway = false
    await letterTo(relay, ada)
    await untilEmpty(store.requests)
    expect(said[0]).toMatch(/^Confirmation letters: one was not taken by the mail server/)
    expect(said.join()).not.toContain(ada)
    const pending = []
    for await (const one of store.requests.pending()) pending.push(one)
    // What never left does not count.
    expect(pending).toMatchObject([{ letters: 1 }])
  })
})

describe('with confirmation turned off', () => {
  it('whoever was asked before can still answer, and a look acts for nobody', async () => {
    const { store, relay, signUp } = await openAsking()
    const letters = []
    for (const email of [ada, 'bob@example.com', 'eve@example.com']) {
      await signUp(email)
      letters.push(await letterTo(relay, email))
    }
    const [adas, bobs, eves] = letters.map(({ path }) => path) as [string, string, string]
    const { app } = await openApp({ store, suppressions: store.standings, answers: store.requests })
    for (let n = 0; n < 20; n++)
      expect((await app.inject({ url: adas })).body).toContain('id="ask"')
    expect(await store.list.count()).toBe(0)
    expect(await answer(app, adas, { answer: 'yes' })).toMatchObject({
      statusCode: 200,
      page: 'done',
    })
    expect((await answer(app, bobs, { answer: 'no' })).page).toBe('not-me')
    for (const pressed of ['yes', 'no'])
      expect((await answer(app, eves, { answer: pressed })).statusCode).toBe(200)
    expect((await answer(app, eves, { code: letters[2]?.code ?? '' })).page).toBe('done')
    const emails = (await listed(store)).map(({ email, extra }) => [email, consentIn(extra)?.how])
    expect(emails).toEqual([
      [ada, 'button'],
      ['eve@example.com', 'code'],
    ])
    expect(await answer(app, '/confirm/x', { answer: 'yes' })).toMatchObject({
      statusCode: 410,
      page: 'ended',
    })
  })

  it('a new sign-up is on the list at once, and a letter from before may be answered as well', async () => {
    const { store, relay, signUp } = await openAsking()
    await signUp()
    const { path } = await letterTo(relay, ada)
    const { app } = await openApp({ store, suppressions: store.standings, answers: store.requests })
    await subscribe(app, openSince(60_000), ada)
    expect(await listed(store)).toMatchObject([{ email: ada, standing: 'subscribed' }])
    expect((await answer(app, path, { answer: 'yes' })).page).toBe('done')
    expect(consentIn((await listed(store))[0]?.extra)).toMatchObject({ how: 'button' })
  })
})
