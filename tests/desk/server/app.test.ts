import { once } from 'node:events'
import { connect, constants } from 'node:http2'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RENEW_AFTER_MS } from '../../../src/desk/access/sessions.ts'
import { deskHeaders } from '../../../src/desk/contract/visitor.ts'
import { deskCsrf } from '../../../src/keys/desk-tokens.ts'
import { asJson } from '../../../src/report/json.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { openDesk } from '../../fixtures/desk.ts'

describe('the desk', () => {
  it('says how many subscribers there are', async () => {
    const { get, store } = await openDesk()
    await store.list.add('visitor@example.com')
    const { page } = await get('/desk')
    expect(page?.page === 'today' && asJson(page.state.report)).toMatchObject({ subscribers: 1 })
  })

  it('may be kept by nobody, framed by nobody, and runs what it brings alone', async () => {
    const { get, post } = await openDesk()
    for (const answer of [
      ...[await get('/desk'), await get('/desk/access'), await get('/desk/none')],
      ...[await post('/desk/access/end', {}), await get('/desk/files/none.js')],
    ]) {
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'cross-origin-resource-policy': 'same-origin',
      })
      const policy = String(answer.headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
    }
    const nonces = [await get('/desk'), await get('/desk')].map(
      ({ headers }) => /nonce-([^']+)/.exec(String(headers['content-security-policy']))?.[1],
    )
    expect(new Set(nonces).size).toBe(2)
  })

  it('takes a post with the token of its session, sent by its own page, and no other', async () => {
    const { post, home, csrf, store } = await openDesk()
    const notOurs = ['', 'x', csrf.slice(1), `${csrf}x`, deskCsrf(home.linkKey)('another session')]
    for (const wrong of notOurs)
      expect((await post('/desk/access/end', { csrf: wrong, id: 'all' })).statusCode).toBe(403)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
    ] as Record<string, string>[])
      expect((await post('/desk/access/end', { id: 'all' }, headers)).statusCode).toBe(403)
    expect((await store.desk.read()).sessions).toEqual([])
    expect((await post('/desk/access/end', { id: 'all' })).statusCode).toBe(200)
  })

  it('takes no other text or shape for the token, and only forms', async () => {
    const { ask, post, csrf } = await openDesk()
    for (const wrong of ['é'.repeat(22), '\0'.repeat(22), '😀'.repeat(11), 'x'.repeat(22)])
      expect((await post('/desk/access/end', { csrf: wrong, id: 'x' })).statusCode).toBe(403)
    const from = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
    for (const [type, payload, status] of [
      ['application/x-www-form-urlencoded', `csrf[a]=${csrf}&session=x`, 403],
      ['application/x-www-form-urlencoded', `csrf=x&csrf=${csrf}&session=x`, 403],
      ['application/x-www-form-urlencoded', 'csrf.toString=1&__proto__[csrf]=1', 403],
      ['application/json', '{"csrf":{"toString":1}}', 415],
      ['application/json', `{"csrf":"${csrf}","session":{"valueOf":1}}`, 415],
    ] as const) {
      const headers = { ...from, 'content-type': type }
      const answer = await ask({ method: 'POST', url: '/desk/access/end', headers, payload })
      expect(answer.statusCode, payload).toBe(status)
    }
  })

  it('goes on for everybody on its one connection, however many requests are broken off', {
    tags: 'thorough',
  }, async () => {
    const { desk, inside } = await openDesk()
    await desk.listen({ port: 0, host: '127.0.0.1' })
    const client = connect(desk.listeningOrigin)
    onTestFinished(() => client.destroy())
    client.on('error', () => {})
    const stream = client.request({ ':path': '/desk/events?of=today', ...inside })
    await once(stream, 'data')
    for (let i = 0; i < 30; i += 1) {
      const some = Array.from({ length: 100 }, () =>
        client.request({ ':path': '/desk/none', ...inside }).on('error', () => {}),
      )
      await new Promise(setImmediate)
      for (const one of some) one.close(constants.NGHTTP2_CANCEL)
      await Promise.all(some.map((one) => one.closed || once(one, 'close')))
    }
    const answer = client.request({ ':path': '/desk/access', ...inside })
    const [headers] = await once(answer, 'response')
    expect(headers[':status']).toBe(200)
    expect([client.closed, stream.closed]).toEqual([false, false])
  })

  it('takes the token in a header from its script', async () => {
    const { ask, csrf } = await openDesk()
    const from = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
    const options = { method: 'POST', url: '/desk/people/search' } as const
    expect((await ask({ ...options, headers: { ...from, 'x-csrf': csrf } })).statusCode).toBe(200)
    expect((await ask({ ...options, headers: from })).statusCode).toBe(403)
  })

  it('answers whatever is posted with a sentence, and never with a fault', async () => {
    const { ask, csrf, logged } = await openDesk()
    const from = { origin: 'http://localhost:3000', 'x-csrf': csrf }
    const bodies = [
      ...[undefined, '', '{', '[]', 'null', '"x"', '{"id":["x"]}', '{"answer":{"id":1}}'],
      ...['id=a&id=b', '__proto__=x', `id=${'x'.repeat(5000)}`, '\u0000', 'answer={}'],
    ]
    for (const url of ['/desk/access/end', '/desk/people', '/desk/none'])
      for (const type of [
        'application/x-www-form-urlencoded',
        'application/json',
        'text/plain',
        '',
      ])
        for (const payload of bodies) {
          const headers = { ...from, ...(type && { 'content-type': type }) }
          const options = { method: 'POST', url, headers } as const
          const { statusCode } = await ask({
            ...options,
            ...(payload !== undefined && { payload }),
          })
          expect(statusCode, `${url} ${type} ${payload}`).toBeLessThan(500)
        }
    expect(logged()).not.toContain('"level":50')
  })

  it('refuses a body that is too large', async () => {
    const { post } = await openDesk()
    expect((await post('/desk/access/end', { id: 'x'.repeat(2_000_000) })).statusCode).toBe(413)
  })

  it('renews a session by use, every few minutes, and its cookie with it', async () => {
    const { link, open, get, store } = await withSession()
    const { id, cookie } = await open(await link())
    const at = async (agoMs: number) => {
      await store.desk.change((found) => ({
        result: undefined,
        state: {
          ...found,
          sessions: found.sessions.map((one) => ({ ...one, usedAt: one.usedAt - agoMs })),
        },
      }))
      const [session] = (await store.desk.read()).sessions
      const headers = {
        [deskHeaders.id]: id,
        [deskHeaders.usedAt]: String(session?.usedAt),
        cookie,
      }
      return get('/desk', headers)
    }
    expect((await at(0)).headers['set-cookie']).toBeUndefined()
    const before = (await store.desk.read()).sessions[0]?.until ?? 0
    expect(String((await at(RENEW_AFTER_MS)).headers['set-cookie'])).toContain(
      `${cookie}; Max-Age=604800`,
    )
    const [renewed] = (await store.desk.read()).sessions
    expect(renewed?.until).toBeGreaterThanOrEqual(before)
    expect(Date.now() - (renewed?.usedAt ?? 0)).toBeLessThan(RENEW_AFTER_MS)
    // Where that cannot be written, what is asked for is shown, and the cookie lasts no longer.
    Object.assign(store.desk, { change: () => Promise.reject(new StoreUnavailable('full')) })
    const kept = await get('/desk', {
      [deskHeaders.id]: id,
      [deskHeaders.usedAt]: String(Date.now() - RENEW_AFTER_MS),
      cookie,
    })
    expect([kept.statusCode, kept.headers['set-cookie']]).toEqual([200, undefined])
  })

  it('lists who is in by device, and ends one or all', async () => {
    const { link, open, get, post, store } = await withSession()
    const [one, other] = [await open(await link(), 'phone'), await open(await link(), 'laptop')]
    const seen = await get('/desk/access', { [deskHeaders.id]: one.id })
    expect(seen.page).toMatchObject({
      sessions: expect.arrayContaining([
        expect.objectContaining({ name: 'Chrome on Android', isThis: true }),
        expect.objectContaining({ name: 'Firefox on Linux', isThis: false }),
      ]),
    })
    const ended = await post('/desk/access/end', { id: other.id })
    expect(ended.headers.location).toBe('/desk/access?ended')
    expect((await store.desk.read()).sessions.map(({ id }) => id)).toEqual([one.id])
    const all = await post('/desk/access/end', { id: 'all' })
    expect(all.page).toEqual({ page: 'door', state: 'ended' })
    expect(String(all.headers['set-cookie'])).toMatch(/^desk-[\w-]{8}=; Max-Age=0;/)
    expect((await store.desk.read()).sessions).toEqual([])
  })

  it('takes the cookie back from who ends their own session', async () => {
    const { link, open, post, store, home } = await withSession()
    const { id } = await open(await link())
    const fields = { id, csrf: deskCsrf(home.linkKey)(id) }
    const ended = await post('/desk/access/end', fields, { [deskHeaders.id]: id })
    expect(ended.page).toEqual({ page: 'door', state: 'ended' })
    expect(String(ended.headers['set-cookie'])).toMatch(/^desk-[\w-]{8}=; Max-Age=0;/)
    expect((await store.desk.read()).sessions).toEqual([])
  })

  it('ends a session also where that cannot be written, since the server then keeps to it', async () => {
    const { post, store } = await openDesk()
    Object.assign(store.desk, { change: () => Promise.reject(new StoreUnavailable('full')) })
    const other = await post('/desk/access/end', { id: 'another' })
    expect(other.headers[deskHeaders.unwrittenEnd]).toBe('another')
    expect(other.page).not.toMatchObject({ page: 'door' })
    const all = await post('/desk/access/end', { id: 'all' })
    expect(all.headers[deskHeaders.unwrittenEnd]).toBe('all')
    expect(all.page).toEqual({ page: 'door', state: 'ended-here' })
  })

  it('refuses to end what can be no session, whether or not that could be written', async () => {
    const { post, store, logged } = await openDesk()
    // Nothing of it is a header's end.
    const forged = ['a\r\nset-cookie: x', 'a b', 'ä', 'x'.repeat(2001)]
    for (const isWritable of [true, false]) {
      if (!isWritable)
        Object.assign(store.desk, { change: () => Promise.reject(new StoreUnavailable('full')) })
      for (const id of forged) {
        const answer = await post('/desk/access/end', { id: id })
        expect(answer.statusCode, id).toBe(400)
        expect(answer.headers['set-cookie']).toBeUndefined()
        expect(answer.headers[deskHeaders.unwrittenEnd]).toBeUndefined()
      }
    }
    expect(logged()).not.toContain('"level":50')
  })

  it('shows and does nothing for a link', async () => {
    const { get, post, store, home } = await openDesk()
    await store.list.add('ada@example.com')
    const headers = { [deskHeaders.by]: 'link', [deskHeaders.id]: 'x' }
    for (const path of ['', '/people', '/people/export', '/letters', '/opening', '/access']) {
      const { page, body } = await get(`/desk${path}`, headers)
      expect(page, path).toEqual({ page: 'door', state: 'refused' })
      expect(body, path).not.toContain('ada@example.com')
    }
    const csrf = deskCsrf(home.linkKey)('x')
    for (const path of ['/people/search', '/people/export', '/letters', '/opening', '/access/end'])
      expect((await post(`/desk${path}`, { csrf }, headers)).statusCode, path).toBe(404)
  })

  it('answers nobody whom the server did not name', async () => {
    const { desk } = await openDesk()
    for (const headers of [{}, { [deskHeaders.by]: 'root', [deskHeaders.id]: 'x' }])
      expect((await desk.inject({ url: '/desk', headers })).statusCode).toBe(500)
  })
})

const agents = {
  phone:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  laptop: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

/** The desk, and sessions that were opened with links. */
async function withSession() {
  const { makeLink } = await import('../../../src/desk/access/sessions.ts')
  const { deskTokens } = await import('../../../src/keys/desk-tokens.ts')
  const desk = await openDesk()
  const tokens = deskTokens(desk.home.linkKey)
  return {
    ...desk,
    link: () => makeLink(desk.store.desk, desk.home.linkKey),
    async open(link: Awaited<ReturnType<typeof makeLink>>, agent: keyof typeof agents = 'phone') {
      const answer = await desk.post(
        `/desk/${link.path}`,
        { code: link.secret },
        {
          [deskHeaders.by]: 'link',
          [deskHeaders.id]: String(tokens.idOf('link', link.path)),
          'user-agent': agents[agent],
        },
      )
      const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
      return { cookie, id: String(tokens.idOf('session', cookie.split('=')[1] ?? '')) }
    },
  }
}
