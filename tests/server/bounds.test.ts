import { describe, expect, it } from 'vitest'
import { joinPaths } from '../../src/features/embed/paths.ts'
import { paths } from '../../src/shared/api.ts'
import { ask, fromOurPage, openApp, postForm, signIn, subscribe } from '../fixtures/app.ts'

const elsewhere = { origin: 'https://evil.example' }
const LONG = 15_000

describe('a header beyond its length', () => {
  it('is ignored: If-None-Match, Accept-Encoding and Accept-Language', async () => {
    const { app } = await openApp({ languages: ['en', 'de'] })
    const get = (headers: object) => ask(app, { url: '/', headers })
    const { headers: plain, body } = await get({})
    const tag = String(plain.etag)
    const at = (length: number, text: string) => text + ','.repeat(length - text.length)
    expect((await get({ 'if-none-match': at(500, tag) })).statusCode).toBe(304)
    expect((await get({ 'if-none-match': at(501, tag) })).statusCode).toBe(200)
    expect((await get({ 'if-none-match': at(LONG, `*,${tag}`) })).statusCode).toBe(200)
    const encoded = async (length: number) =>
      (await get({ 'accept-encoding': at(length, 'br') })).headers['content-encoding']
    expect([await encoded(200), await encoded(201), await encoded(LONG)]).toEqual([
      ...['br', undefined, undefined],
    ])
    const german = (length: number) => get({ 'accept-language': at(length, 'de') })
    expect((await german(500)).body).not.toBe(body)
    expect((await german(501)).body).toBe(body)
  })

  it('is none of those that a visitor needs: a long cookie has their session all the same', async () => {
    const { app } = await openApp()
    const { cookie } = await signIn(app)
    const headers = { ...fromOurPage, cookie: `theirs=${'x'.repeat(LONG / 2)}; ${cookie}` }
    expect((await subscribe(app, headers, 'visitor@example.com')).statusCode).toBe(201)
  })
})

describe('a request', () => {
  it('with more than a hundred headers is refused', async () => {
    const { app } = await openApp()
    const many = (number: number) =>
      Object.fromEntries(Array.from({ length: number }, (_, i) => [`x${i}`, '1']))
    expect((await ask(app, { url: '/', headers: many(90) })).statusCode).toBe(200)
    for (const number of [101, 500])
      expect(await ask(app, { url: '/', headers: many(number) })).toMatchObject({
        statusCode: 431,
        body: '{"error":"bad-request"}',
      })
  })

  it('with a path or a query beyond its length is answered as if it ended there', async () => {
    const { app } = await openApp({ languages: ['en', 'de'] })
    for (const url of ['a', '%61', 'é', '%C3%A9', '/', ';'])
      expect(
        (await ask(app, { url: `/${encodeURI(decodeURI(url)).repeat(2000)}` })).statusCode,
      ).toBe(404)
    expect((await ask(app, { url: `/unsubscribe/${'A'.repeat(LONG)}` })).statusCode).toBe(404)
    expect((await ask(app, { url: `/?${'a&'.repeat(LONG / 2)}` })).statusCode).toBe(200)
    const { headers } = await ask(app, { url: `/de?ref=hn&${'a&'.repeat(LONG / 2)}` })
    expect(headers.location).toMatch(/^\/de\/\?ref=hn&a/)
    expect(String(headers.location).length).toBeLessThan(2100)
  })
})

describe('a form that is refused', () => {
  it.each([
    ['quotes', "'"],
    ['quotes with their escapes', '%22'],
    ['a ligature of eighteen letters', '%EF%B7%BA'],
    ['control signs', '%00'],
  ])('gets no longer an answer for %s without end', async (_, sent) => {
    const { app } = await openApp()
    const post = (email: string) =>
      app.inject({
        ...{ method: 'POST', url: paths.subscribe, payload: `email=${email}` },
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...elsewhere },
      })
    const { body: plain } = await post('')
    const { body: short } = await post(sent.repeat(1016))
    expect(short.length).toBeGreaterThan(plain.length + 1000)
    const long = await post(sent.repeat(Math.floor(LONG / sent.length)))
    expect([long.statusCode, long.body]).toEqual([403, plain])
  })

  it('is read as far as fifty fields', async () => {
    const { app, store } = await openApp()
    const fields = (before: number) => {
      const others = Array.from({ length: before }, (_, i) => [`field${i}`, ''])
      return Object.fromEntries([...others, ['email', 'visitor@example.com']])
    }
    expect((await postForm(app, fields(50))).statusCode).toBe(422)
    expect(await store.list.count()).toBe(0)
    expect((await postForm(app, fields(49))).statusCode).toBe(303)
  })

  it('counts for the rate, for whatever it is refused', async () => {
    const shop = 'https://shop.example'
    const post = (url: string, headers: object, payload = 'email=visitor%40example.com') => ({
      ...{ method: 'POST' as const, url, payload },
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
    for (const [refused, status] of [
      [post(paths.subscribe, elsewhere), 403],
      [post(paths.subscribe, fromOurPage, 'email=nobody'), 422],
      [post(paths.subscribe, { ...fromOurPage, 'content-type': 'text/plain' }), 415],
      [post(paths.subscribe, fromOurPage, `email=${'x'.repeat(20_000)}`), 413],
      [post(joinPaths.join, elsewhere), 403],
      [post(joinPaths.join, { origin: 'null' }), 200],
      [post(joinPaths.join, { origin: shop }, 'email=nobody'), 422],
    ] as const) {
      const { app, store } = await openApp({ rateLimit: 2, ofFeatures: { EMBED_ORIGINS: [shop] } })
      for (let n = 0; n < 2; n += 1) expect((await app.inject(refused)).statusCode).toBe(status)
      const over = await postForm(app, { email: 'visitor@example.com' })
      expect(over.statusCode).toBe(429)
      expect(over.body).toContain('value="visitor@example.com"')
      expect(await store.list.count()).toBe(0)
    }
  })
})
