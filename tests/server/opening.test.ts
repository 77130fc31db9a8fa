import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { paths } from '../../src/shared/api.ts'
import { ask, openApp, postForm, signIn, subscribe } from '../fixtures/app.ts'

const url = `https://app.example.com/?a='1'&b="><script>`
const escaped = 'https://app.example.com/?a=&#39;1&#39;&#38;b=&#34;&#62;&#60;script&#62;'

/** A watch that is turned by hand. */
function byHand() {
  let now: string | undefined
  const turns: ((url: string | undefined) => void)[] = []
  return {
    watch: {
      url: () => now,
      onTurn: (turn: (url: string | undefined) => void) => void turns.push(turn),
    },
    turn(to: string | undefined) {
      now = to
      for (const one of turns) one(to)
    },
  }
}

async function setUp(more: Parameters<typeof openApp>[0] = {}) {
  const { watch, turn } = byHand()
  const { app, ...others } = await openApp({ opening: watch, ...more })
  const says = async () => (await ask(app, { url: '/' })).body
  await says()
  async function turned(to: string | undefined) {
    turn(to)
    const text = to === undefined ? 'Coming soon' : '<title>Open'
    await expect.poll(says).toContain(text)
  }
  return { app, turn, turned, says, ...others }
}

describe('the page as it turns', () => {
  it('is the open page, at every address of it and in every encoding, with its button escaped', async () => {
    const { app, turned } = await setUp()
    expect((await ask(app, { url: paths.opening })).body).toBe('{}')
    await turned(url)
    for (const path of ['/', '/index.html']) {
      const plain = await ask(app, { url: path })
      expect(plain.body).toContain(`<a href="${escaped}">`)
      expect(plain.body).not.toContain('%OPEN_URL%')
      const [br, gzip] = await Promise.all(
        ['br', 'gzip'].map((encoding) =>
          ask(app, { url: path, headers: { 'accept-encoding': encoding } }),
        ),
      )
      expect(br && String(brotliDecompressSync(br.rawPayload))).toBe(plain.body)
      expect(gzip && String(gunzipSync(gzip.rawPayload))).toBe(plain.body)
    }
    const told = await ask(app, { url: paths.opening })
    expect(JSON.parse(told.body)).toEqual({ open: url })
    expect(told.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'application/json; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    })
  })

  it('is no longer what a browser has, and has the headers that it had', async () => {
    const { app, turned } = await setUp()
    const before = await ask(app, { url: '/' })
    await turned(url)
    const { etag } = before.headers
    const after = await ask(app, { url: '/', headers: { 'if-none-match': String(etag) } })
    expect(after.statusCode).toBe(200)
    const withoutSize = ({ etag: _, 'content-length': __, ...rest }: typeof after.headers) => rest
    expect(withoutSize(after.headers)).toEqual(withoutSize(before.headers))
    const known = { 'if-none-match': String(after.headers.etag) }
    expect((await ask(app, { url: '/', headers: known })).statusCode).toBe(304)
    await turned(undefined)
    expect((await ask(app, { url: '/' })).headers.etag).toBe(etag)
  })

  it('is the last that was said, however fast it is turned', async () => {
    const { turn, says } = await setUp()
    for (let i = 0; i < 20; i += 1) turn(i % 2 ? undefined : `https://${i}.example/`)
    turn('https://last.example/')
    await expect.poll(says).toContain('https://last.example/')
    for (let i = 0; i < 20; i += 1) turn(i % 2 ? undefined : `https://${i}.example/`)
    await expect.poll(says).toContain('Coming soon')
  })

  it('is open from the first request on, where it was open before the start', async () => {
    const watch = { url: () => url, onTurn: () => {} }
    const { app } = await openApp({ opening: watch })
    expect((await ask(app, { url: '/' })).body).toContain(escaped)
  })

  it('answers a form with the page that is up, with the address in it', async () => {
    const { app, turned } = await setUp()
    await turned(url)
    const refused = await postForm(app, { email: '"nobody%EMAIL%%OPEN_URL%' })
    expect(refused.statusCode).toBe(422)
    expect(refused.body).toContain(`<a href="${escaped}">`)
    expect(refused.body).toContain('value="&#34;nobody%EMAIL%%OPEN_URL%"')
    const thanked = await app.inject({ url: paths.subscribed })
    expect(thanked.body).toContain(escaped)
    await turned(undefined)
    expect((await app.inject({ url: paths.subscribed })).body).not.toContain('app.example.com')
  })

  it('is turned by no request', async () => {
    const { app, says } = await setUp()
    const headers = { ...(await signIn(app)), 'content-type': 'application/json' }
    const payload = JSON.stringify({ open: url })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
      for (const path of [paths.opening, '/', '/open', '/api/opening']) {
        const { statusCode } = await app.inject({ method, url: path, headers, payload })
        expect([404, 415], `${method} ${path}`).toContain(statusCode)
      }
    expect(await says()).toContain('Coming soon')
    expect((await ask(app, { url: paths.opening })).body).toBe('{}')
  })

  it('takes sign-ups as before, from the open page and from one that has not turned yet', async () => {
    const { app, turned, store } = await setUp()
    const headers = await signIn(app)
    await turned(url)
    expect((await subscribe(app, headers, 'late@example.com')).statusCode).toBe(201)
    expect((await postForm(app, { email: 'form@example.com' })).statusCode).toBe(303)
    expect(await store.list.count()).toBe(2)
  })

  it('leaves each receipt the words that its visitor saw', async () => {
    const words: string[] = []
    const requests = {
      requestConfirmation: async (_: string, { shown }: { shown: { words: string } }) =>
        void words.push(shown.words),
      changePending: () => Promise.reject(new Error('nobody answers')),
    }
    const { app, turned } = await setUp({ requests: requests as never })
    await turned(url)
    const headers = await signIn(app)
    const post = (isOpen?: string) =>
      app.inject({
        method: 'POST',
        url: paths.subscribers,
        headers,
        payload: { email: 'ada@example.com', isOpen },
      })
    for (const isOpen of ['true', undefined, 'false']) await post(isOpen)
    await postForm(app, { email: 'ada@example.com', isOpen: 'no' })
    await postForm(app, { email: 'ada@example.com', isOpen: 'true' })
    await postForm(app, { email: 'ada@example.com' })
    expect(words).toEqual(['Open now', ...Array(3).fill('Notify Me'), 'Open now', 'Notify Me'])
  })
})
