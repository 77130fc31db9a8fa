import { describe, expect, it } from 'vitest'
import { SESSION_S } from '../../src/server/http/session-cookie.ts'
import { paths } from '../../src/shared/api.ts'
import { brokenStore, fromOurPage, openApp, signIn, subscribe } from '../fixtures/app.ts'
import { emailCases } from '../shared/email-cases.ts'

describe('the session', () => {
  it('is nobody at first, and a visitor once signed in', async () => {
    const { app } = await openApp()
    const first = await app.inject({ url: paths.session })
    expect(first.json()).toEqual({ user: null })

    const headers = await signIn(app)
    const second = await app.inject({ url: paths.session, headers })
    expect(second.json()).toEqual({ user: { uid: expect.any(String), isAnonymous: true } })
    expect(second.headers['cache-control']).toBe('no-store')
  })

  it('is kept when a visitor signs in again', async () => {
    const { app } = await openApp()
    const headers = await signIn(app)
    const { user } = (await app.inject({ url: paths.session, headers })).json()
    const again = await app.inject({ method: 'POST', url: paths.session, headers })
    expect(again.json()).toEqual({ user })
    expect(again.cookies).toEqual([])
  })

  it('lives in a cookie that no script reads and no other site sends', async () => {
    const { app } = await openApp()
    const { cookies, headers } = await app.inject({
      method: 'POST',
      url: paths.session,
      headers: fromOurPage,
    })
    expect(headers['cache-control']).toBe('no-store')
    expect(cookies).toMatchObject([
      { httpOnly: true, sameSite: 'Strict', path: '/', maxAge: SESSION_S },
    ])
    expect(SESSION_S).toBe(86_400)
    expect(cookies[0]).not.toHaveProperty('secure')
  })

  it('goes by https alone where visitors come by https', async () => {
    const { app } = await openApp({ publicUrl: 'https://example.com' })
    const answer = await app.inject({ method: 'POST', url: paths.session, headers: fromOurPage })
    expect(answer.cookies).toMatchObject([{ secure: true }])
  })

  it('goes by plain http where visitors come by that: a cookie for https alone would be lost', async () => {
    const { app } = await openApp({ publicUrl: 'http://example.com' })
    const answer = await app.inject({ method: 'POST', url: paths.session, headers: fromOurPage })
    expect(answer.cookies).toHaveLength(1)
    expect(answer.cookies[0]).not.toHaveProperty('secure')
  })

  it.each(['session=forged', 'session=forged.signature', 'session=', 'session=%E0%A4%A', '=;;='])(
    'is nobody for a cookie that we did not sign: %s',
    async (cookie) => {
      const { app } = await openApp()
      const answer = await app.inject({ url: paths.session, headers: { cookie } })
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toEqual({ user: null })
    },
  )

  it('is found among the cookies of others', async () => {
    const { app } = await openApp()
    const { cookie } = await signIn(app)
    for (const all of [
      `a=b; ${cookie}`,
      `a=b;${cookie}`,
      `${cookie}; session-of=c`,
      `xsession=1; ${cookie};d`,
    ]) {
      const answer = await app.inject({ url: paths.session, headers: { cookie: all } })
      expect(answer.json(), all).toMatchObject({ user: { isAnonymous: true } })
    }
  })
})

describe('a sign-up', () => {
  it('is judged by the e-mail rule, whatever is typed', async () => {
    const { app, store } = await openApp()
    const headers = await signIn(app)
    for (const { input, email, why } of emailCases) {
      const answer = await subscribe(app, headers, input)
      const refusal = input.length > 16_000 ? 413 : 422
      expect(answer.statusCode, why).toBe(email === undefined ? refusal : 201)
      if (email) expect(await store.list.find(email), why).toMatchObject({ email })
    }
    expect(await store.list.count()).toBe(
      new Set(emailCases.flatMap(({ email }) => email ?? [])).size,
    )
  })

  it('needs a session', async () => {
    const { app, store } = await openApp()
    const answer = await subscribe(app, fromOurPage, 'visitor@example.com')
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual({ error: 'no-session' })
    expect(await store.list.count()).toBe(0)
  })

  it.each([
    ['what is not JSON', 400, 'bad-request', '{"email":'],
    ['nothing', 400, 'bad-request', ''],
    ['null', 400, 'bad-request', 'null'],
    ['text', 400, 'bad-request', '"visitor@example.com"'],
    ['a list', 400, 'bad-request', '["visitor@example.com"]'],
    ['no e-mail', 400, 'bad-request', '{}'],
    ['a number for an e-mail', 400, 'bad-request', '{"email":5}'],
    ['a poisoned prototype', 400, 'bad-request', '{"__proto__":{"email":"a@b.co"}}'],
    ['too much', 413, 'too-large', JSON.stringify({ email: 'a'.repeat(20_000) })],
  ])('refuses a body with %s', async (_what, status, error, payload) => {
    const { app, store } = await openApp()
    const headers = { ...(await signIn(app)), 'content-type': 'application/json' }
    const answer = await app.inject({ method: 'POST', url: paths.subscribers, headers, payload })
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual({ error })
    expect(await store.list.count()).toBe(0)
  })

  it.each([
    ['what is no text and no number', '{"toString":1,"valueOf":1}'],
    ['lists in lists', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['objects in objects', `${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}`],
    ['an endless number', '1e999'],
    ['nothing', 'null'],
  ])(
    'refuses %s in a field, whatever the field, where it asks for a confirmation',
    async (_what, value) => {
      const asked: string[] = []
      const requests = {
        requestConfirmation: async (email: string) => void asked.push(email),
        changePending: () => Promise.reject(new Error('nobody answers')),
        lookAt: () => Promise.reject(new Error('nobody looks')),
      }
      const { app, logged } = await openApp({ requests })
      const headers = { ...(await signIn(app)), 'content-type': 'application/json' }
      const post = (payload: string) =>
        app.inject({ method: 'POST', url: paths.subscribers, headers, payload })
      for (const field of ['email', 'comment', 'isLate', 'isOpen', 'openFor']) {
        const answer = await post(`{"email":"visitor@example.com","${field}":${value}}`)
        expect([answer.statusCode, answer.body], field).toEqual([400, '{"error":"bad-request"}'])
      }
      // What an older or a newer page may send beside them is passed over.
      expect((await post(`{"email":"visitor@example.com","more":${value}}`)).statusCode).toBe(201)
      expect(asked).toEqual(['visitor@example.com'])
      expect(logged()).not.toContain('"level":50')
    },
  )

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'x',
  ])('refuses a body of type %s', async (type) => {
    const { app } = await openApp()
    const headers = { ...(await signIn(app)), 'content-type': type }
    const payload = 'email=visitor%40example.com'
    const answer = await app.inject({ method: 'POST', url: paths.subscribers, headers, payload })
    expect(answer.statusCode).toBe(415)
    expect(answer.json()).toEqual({ error: 'unsupported-media-type' })
  })

  it.each([
    [418, 400, 'bad-request'],
    [404, 404, 'not-found'],
    [500, 500, 'internal'],
    [502, 500, 'internal'],
    [undefined, 500, 'internal'],
  ])(
    'answers what the framework calls %s with what visitors know',
    async (given, status, error) => {
      const fault = Object.assign(new Error('the inside'), { statusCode: given })
      const { app, logged } = await openApp({ store: brokenStore(fault) })
      const answer = await subscribe(app, await signIn(app), 'visitor@example.com')
      expect(answer.statusCode).toBe(status)
      expect(answer.json()).toEqual({ error })
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(logged().includes('the inside')).toBe(status === 500)
    },
  )
})

describe('what comes from another site', () => {
  const ours = { host: 'bell.example:3000' }

  it.each<[string, Record<string, string>]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['no page', { 'sec-fetch-site': 'none' }],
    [
      'another site that claims our origin',
      { 'sec-fetch-site': 'cross-site', origin: 'http://bell.example:3000' },
    ],
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://bell.example:3001' }],
    ['an origin that only starts like ours', { origin: 'http://bell.example:3000.evil.example' }],
    ['a port that is not named', { origin: 'http://bell.example' }],
    ['a port where none is', { origin: 'http://bell.example:3000', host: 'bell.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['an unknown origin', {}],
  ])('is refused: %s', async (_who, from) => {
    const { app, store } = await openApp()
    const { cookie } = await signIn(app)
    const headers = { ...ours, cookie, ...from }
    const answer = await subscribe(app, headers, 'visitor@example.com')
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toEqual({ error: 'cross-origin' })
    const session = await app.inject({
      method: 'POST',
      url: paths.session,
      headers: { ...ours, ...from },
    })
    expect(session.statusCode).toBe(403)
    expect(session.cookies).toEqual([])
    expect(await store.list.count()).toBe(0)
  })

  it.each<[string, Record<string, string>]>([
    ['a browser that says same-origin', { 'sec-fetch-site': 'same-origin' }],
    ['our host, on plain http', { origin: 'http://bell.example:3000' }],
    ['our host, where a proxy ends TLS', { origin: 'https://bell.example:3000' }],
    ['our host, in capitals', { origin: 'http://bell.example', host: 'BELL.Example' }],
    [
      'our host, with the port that is meant',
      { origin: 'http://bell.example', host: 'bell.example:80' },
    ],
    ['the same of https', { origin: 'https://bell.example', host: 'bell.example:443' }],
    [
      'the same behind a proxy that ends TLS',
      { origin: 'https://bell.example', host: 'bell.example:80' },
    ],
  ])('is let in if it is ours: %s', async (_who, from) => {
    const { app } = await openApp()
    const { cookie } = await signIn(app)
    const answer = await subscribe(app, { ...ours, cookie, ...from }, 'visitor@example.com')
    expect(answer.statusCode).toBe(201)
  })

  const publicUrl = 'https://public.example'
  const sameOrigin = { 'sec-fetch-site': 'same-origin' }

  it.each<[string, Record<string, string>]>([
    ['a browser that says same-origin', { ...sameOrigin, origin: publicUrl }],
    ['the public URL, where a proxy changes the host', { origin: publicUrl }],
    ['a script of the operator that says same-origin', sameOrigin],
  ])('is let in from the public URL: %s', async (_who, from) => {
    const { app } = await openApp({ publicUrl })
    const { cookie } = await signIn(app)
    const answer = await subscribe(app, { ...ours, cookie, ...from }, 'visitor@example.com')
    expect(answer.statusCode).toBe(201)
  })

  it.each<[string, Record<string, string>]>([
    ['a name of another, let lead to us', { host: 'evil.example', origin: 'http://evil.example' }],
    [
      'the same, by a browser that calls it same-origin',
      { host: 'evil.example', origin: 'http://evil.example', ...sameOrigin },
    ],
    ['our own host by another name', { origin: 'http://bell.example:3000' }],
    ['the public URL on plain http', { origin: 'http://public.example' }],
    [
      'the public URL in the name of another',
      { origin: publicUrl, 'sec-fetch-site': 'cross-site' },
    ],
    ['an unknown origin', {}],
  ])('is refused from anywhere else once there is a public URL: %s', async (_who, from) => {
    const { app, store } = await openApp({ publicUrl })
    const { cookie } = await signIn(app)
    const headers = { ...ours, cookie, ...from }
    expect((await subscribe(app, headers, 'visitor@example.com')).statusCode).toBe(403)
    const session = await app.inject({ method: 'POST', url: paths.session, headers })
    expect(session.statusCode).toBe(403)
    expect(session.cookies).toEqual([])
    expect(await store.list.count()).toBe(0)
  })

  it('is said once, without a name, when a proxy may have changed the host of our page', async () => {
    const { app, logged } = await openApp()
    const { cookie } = await signIn(app)
    const said = () => logged().match(/another host than the header Host names/g)
    await subscribe(app, { cookie, 'sec-fetch-site': 'cross-site' }, 'visitor@example.com')
    await subscribe(app, { cookie, origin: 'null' }, 'visitor@example.com')
    expect(said()).toBeNull()
    const headers = { cookie, host: '127.0.0.1:3000', origin: 'http://bell.example' }
    for (let i = 0; i < 3; i++) await subscribe(app, headers, 'visitor@example.com')
    expect(said()).toHaveLength(1)
    expect(logged()).not.toContain('bell.example')
  })

  it('is said once, without the name, when it was our page by another name', async () => {
    const { app, logged } = await openApp({ publicUrl })
    const { cookie } = await signIn(app)
    const headers = { cookie, host: 'www.public.example', origin: 'https://www.public.example' }
    for (let i = 0; i < 3; i++) await subscribe(app, headers, 'visitor@example.com')
    expect(logged().match(/another name than PUBLIC_URL/g)).toHaveLength(1)
    expect(logged()).not.toContain('www')
  })
})
