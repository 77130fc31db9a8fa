import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { paths } from '../../src/shared/api.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { ask, brokenStore, openApp } from '../fixtures/app.ts'
import { NOT_FOUND } from '../fixtures/site.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'

describe('the page and its files', () => {
  it('come compressed as the browser can read them, and are asked for again each time', async () => {
    const { app } = await openApp()
    const plain = await ask(app, { url: '/' })
    expect(plain.statusCode).toBe(200)
    expect(plain.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(plain.headers['cache-control']).toBe('no-cache')
    expect(plain.headers['content-encoding']).toBeUndefined()

    const brotli = await ask(app, { url: '/', headers: { 'accept-encoding': 'gzip, br' } })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotli.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(brotli.headers['cache-control']).toBe('no-cache')
    expect(brotli.headers.vary).toContain('accept-encoding')
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body)

    const gzip = await ask(app, { url: '/', headers: { 'accept-encoding': 'gzip' } })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    for (const { headers, rawPayload } of [plain, brotli, gzip])
      expect(headers['content-length']).toBe(String(rawPayload.length))
  })

  it('are not sent again to a browser that has them', async () => {
    const { app } = await openApp()
    const { etag } = (await ask(app, { url: '/' })).headers
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(app, { url: '/', headers: { 'if-none-match': String(known) } })
      expect(again.statusCode).toBe(304)
      expect(again.rawPayload).toHaveLength(0)
      expect(again.headers).toMatchObject({ etag, 'cache-control': 'no-cache' })
    }
    for (const others of ['', '"other"', String(etag).slice(0, -1)]) {
      const again = await ask(app, { url: '/', headers: { 'if-none-match': others } })
      expect(again.statusCode).toBe(200)
    }
    // One that was kept compressed is another than the one as it is.
    const headers = { 'if-none-match': String(etag), 'accept-encoding': 'br' }
    expect((await ask(app, { url: '/', headers })).statusCode).toBe(200)
  })

  it('are found with a query, and in the spelling of a link', async () => {
    const { app } = await openApp()
    for (const url of ['/?utm_source=letter', '/?', '/robots%2Etxt', '/index.html'])
      expect((await ask(app, { url })).statusCode, url).toBe(200)
  })

  it('are kept for good where their name tells their content', async () => {
    const { app } = await openApp()
    const script = await ask(app, { url: '/assets/main-abc123.js' })
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(script.headers['content-type']).toContain('javascript')
    const robots = await ask(app, { url: '/robots.txt' })
    expect(robots.headers['cache-control']).toBe('public, max-age=3600')
  })

  it('say which backend there is', async () => {
    const { app } = await openApp()
    const answer = await ask(app, { url: paths.config })
    expect(JSON.parse(answer.body)).toEqual({ mode: 'embedded', appId: 'test' })
    expect(answer.headers['cache-control']).toBe('no-cache')
  })

  it.each(['/', '/assets/main-abc123.js', '/healthz', '/api/session'])(
    'answer HEAD %s as GET, without the body',
    async (url) => {
      const { app } = await openApp()
      const get = await ask(app, { url })
      const head = await ask(app, { method: 'HEAD', url })
      expect(head.statusCode).toBe(200)
      expect(head.body).toBe('')
      expect(head.headers).toEqual(get.headers)
    },
  )
})

describe('a browser that asks for a service worker', () => {
  it('gets at every path the one that ends itself, whatever is there', async () => {
    const { app } = await openApp()
    const headers = { 'service-worker': 'script' }
    for (const url of [
      '/sw.js',
      '/',
      '/app/ngsw-worker.js?v=2',
      '/assets/main-abc123.js',
      '/desk',
    ]) {
      const answer = await ask(app, { url, headers })
      expect(answer.statusCode, url).toBe(200)
      expect(answer.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'no-store',
        'service-worker-allowed': '/',
      })
      expect(answer.body).toContain('registration.unregister()')
    }
    expect((await ask(app, { url: '/sw.js' })).statusCode).toBe(404)
    const post = await ask(app, { method: 'POST', url: paths.subscribers, headers })
    expect(post.statusCode).not.toBe(200)
  })
})

describe('anything else', () => {
  it.each([
    ...'/nothing /index.html.br /dist/site.json /../package.json'.split(' '),
    ...'/%2e%2e/%2e%2e/etc/passwd /assets/..%2f..%2fsite.json //evil.example'.split(' '),
    ...'/api/subscribers /visitor@example.com'.split(' '),
    `/${'a'.repeat(4000)}`,
  ])('is not found, and no path leads out of the site: %s', async (url) => {
    const { app } = await openApp()
    const answer = await app.inject({ url })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ error: 'not-found' })
  })

  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-encoding': 'gzip' }

  it.each([
    ['/start', 404],
    ['/visitor@example.com', 404],
    ['/%E0%A4%A', 400],
  ])('is a page with a way home to a person: %s', async (url, status) => {
    const { app } = await openApp()
    const answer = await app.inject({ url, headers: browser })
    expect(answer.statusCode).toBe(status)
    expect(answer.body).toBe(NOT_FOUND)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringContaining("style-src 'self' 'sha256-plain-style';"),
    })
    expect(answer.headers.etag).toBeUndefined()
  })

  it.each(['application/json', '*/*', 'image/avif,image/webp,*/*'])(
    'is JSON to who asks for %s',
    async (accept) => {
      const { app } = await openApp()
      const answer = await app.inject({ url: '/start', headers: { accept } })
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ error: 'not-found' })
    },
  )

  it.each([
    ['POST', '/'],
    ['DELETE', '/api/session'],
    ['OPTIONS', '/api/subscribers'],
    ['POST', '/config.json'],
  ] as const)('is not found: %s %s', async (method, url) => {
    const { app } = await openApp()
    expect((await app.inject({ method, url })).statusCode).toBe(404)
  })

  it.each(['/%E0%A4%A', '/%', '/api/session/%ff', '/assets/%c0%ae'])(
    'is refused if it is no URL: %s',
    async (url) => {
      const { app } = await openApp()
      const answer = await app.inject({ url })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({ error: 'bad-request' })
    },
  )
})

describe('every answer', () => {
  it.each([
    ['/', "'sha256-style'"],
    ['/assets/main-abc123.js', "'sha256-style'"],
    ['/config.json', "'sha256-style'"],
    ['/subscribed', "'sha256-plain-style'"],
  ])('tells the browser to trust nothing but what was built: %s', async (url, style) => {
    const { app } = await openApp()
    const { headers } = await ask(app, { url })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self' 'sha256-script'")
    expect(policy).toContain(`style-src 'self' ${style};`)
    expect(headers['permissions-policy']).toContain('camera=()')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(policy).toContain("frame-ancestors 'none'")
    // The form without script.
    expect(policy).toContain("form-action 'self'")
    expect(policy).not.toMatch(/unsafe|upgrade-insecure-requests|http|\*/)
    expectSafe(headers)
  })

  it.each(['/api/session', '/api/subscribers', '/healthz', '/nothing', '/%'])(
    'lets the browser do nothing with what is no page: %s',
    async (url) => {
      const { app } = await openApp()
      const { headers } = await app.inject({ url })
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers['cross-origin-resource-policy']).toBe('same-origin')
      expectSafe(headers)
    },
  )

  function expectSafe(headers: Record<string, unknown>) {
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers).not.toHaveProperty('strict-transport-security')
    expect(headers).not.toHaveProperty('server')
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  }
})

describe('health', () => {
  it('is alive and ready', async () => {
    const { app } = await openApp()
    for (const [url, status] of [
      ['/healthz', 'alive'],
      ['/readyz', 'ready'],
    ]) {
      const answer = await app.inject({ url: url ?? '' })
      expect(answer.json()).toEqual({ status })
      expect(answer.headers['cache-control']).toBe('no-store')
    }
  })

  it('is alive but not ready while the database cannot be used', async () => {
    const { app } = await openApp({ store: brokenStore(new StoreUnavailable('It is away.')) })
    expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200)
    const ready = await app.inject({ url: '/readyz' })
    expect(ready.statusCode).toBe(503)
    expect(ready.json()).toEqual({ error: 'database-unavailable' })
  })

  it('looks once a second at most, however many ask, and believes what it saw', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    let looks = 0
    let isAway = false
    const checkWritable = async () => {
      looks += 1
      if (isAway) throw new StoreUnavailable('It is away.')
    }
    const { app } = await openApp({ store: { ...storeOnFile(), checkWritable } })
    const asked = async () => (await app.inject({ url: '/readyz' })).statusCode
    expect(new Set(await Promise.all(Array.from({ length: 20 }, asked)))).toEqual(new Set([200]))
    isAway = true
    expect([await asked(), looks]).toEqual([200, 1])
    vi.advanceTimersByTime(1000)
    expect([await asked(), await asked(), looks]).toEqual([503, 503, 2])
    isAway = false
    vi.advanceTimersByTime(1000)
    expect([await asked(), looks]).toEqual([200, 3])
  })
})
