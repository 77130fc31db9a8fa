/** @module-tag thorough */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { paths } from '../../src/shared/api.ts'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { startedServer } from '../fixtures/spawned-server.ts'
import { ask, DOMAIN, mustBeThere, type RunningProxy, startProxy } from './proxy.ts'

const ORIGIN = `https://${DOMAIN}`
const [ADA, BOB] = ['127.0.0.2', '127.0.0.3']

/** The real server as the document sets it up; visitors are others of loopback than the proxy. */
async function bell(settings: Record<string, string> = {}) {
  const root = copyOfServer()
  const { server, origin } = await startedServer(root, {
    DATA_DIR: join(root, 'data'),
    PUBLIC_URL: ORIGIN,
    TRUST_PROXY: '127.0.0.1',
    ...settings,
  })
  return { server, origin, port: new URL(origin).port }
}

const ours = { origin: ORIGIN, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }

/** Signs up through the proxy. @returns the status of the answer. */
async function signUp(proxy: RunningProxy, from: string, email: string, sent: object = {}) {
  const visitor = { ...proxy, from }
  const session = await ask(visitor, {
    path: paths.session,
    method: 'POST',
    headers: ours,
    body: '{}',
  })
  const cookie = String(session.headers['set-cookie'])
  expect(cookie).toContain('Secure')
  const headers = { ...ours, ...sent, cookie: cookie.split(';')[0] ?? '' }
  const body = JSON.stringify({ email })
  return (await ask(visitor, { path: paths.subscribers, method: 'POST', headers, body })).status
}

describe.each(['caddy', 'nginx'] as const)('%s, as docs/deploy.md shows it,', (name) => {
  beforeEach((context) => mustBeThere(context, name))

  it('takes sign-ups, each counted for the visitor’s real address', async () => {
    const { port, server } = await bell({ RATE_LIMIT: '1' })
    const proxy = await startProxy(name, { bell: port, product: '1' })
    expect(await signUp(proxy, ADA, 'ada@example.com')).toBe(201)
    expect(await signUp(proxy, ADA, 'ada.two@example.com')).toBe(429)
    const forged = { 'x-forwarded-for': '203.0.113.9' }
    expect(await signUp(proxy, ADA, 'ada.three@example.com', forged)).toBe(429)
    expect(await signUp(proxy, BOB, 'bob@example.com')).toBe(201)
    // The log is how an operator would learn that the proxy is not understood.
    expect(server.output('stderr')).toBe('')
  })

  it('passes the page on byte for byte, with the compression of the server', async () => {
    const { port, origin } = await bell()
    const proxy = await startProxy(name, { bell: port, product: '1' })
    for (const coding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': coding }
      const direct = await fetch(origin, { headers })
      const through = await ask({ ...proxy, from: ADA }, { path: '/', headers })
      const header = through.headers['content-encoding'] ?? 'identity'
      expect(header).toBe(coding)
      expect(through.headers.etag).toBe(direct.headers.get('etag'))
      expect(String(through.headers['content-length'])).toBe(direct.headers.get('content-length'))
      expect(through.headers['strict-transport-security']).toContain('max-age')
      const again = { ...headers, 'if-none-match': String(through.headers.etag) }
      const known = await ask({ ...proxy, from: ADA }, { path: '/', headers: again })
      expect(known.status).toBe(304)
    }
  })

  it('lets no body through that the server would not take', async () => {
    const { port } = await bell()
    const proxy = await startProxy(name, { bell: port, product: '1' })
    // The server answers before the whole has arrived. Caddy, which is sending still, may call that
    // a broken server; nginx knows the limit itself.
    const refused = name === 'caddy' ? [413, 502] : [413]
    for (const length of [20_000, 1_000_000, 2_000_000])
      expect(refused, String(length)).toContain(await signUp(proxy, ADA, 'a'.repeat(length)))
  })

  it('leads http and www to the one address', async () => {
    const { port } = await bell()
    const proxy = await startProxy(name, { bell: port, product: '1' })
    const www = { ...proxy, from: ADA, host: `www.${DOMAIN}` }
    const answer = await ask(www, { path: '/unsubscribe?x=1' })
    expect([301, 308]).toContain(answer.status)
    expect(answer.headers.location).toBe(`${ORIGIN}/unsubscribe?x=1`)
    const plain = await fetch(`http://127.0.0.1:${proxy.http}/a?b`, {
      redirect: 'manual',
      headers: { host: DOMAIN },
    })
    expect([301, 308]).toContain(plain.status)
  })

  it.each([
    ['', 'launch-day', ['/de/unsubscribe/x', '/de/app'], []],
    [
      ', with a page in German too',
      'launch-day-in-german',
      ['/de/', '/de/app', '/de/unsubscribed'],
      ['/de/unsubscribe/x', '/de/confirm/x'],
    ],
  ] as const)(
    'shares the domain with the product on launch day%s',
    async (_, shown, theirs, ours) => {
      const product = createServer((request, answer) => answer.end(`product ${request.url}`))
      product.listen(0, '127.0.0.1')
      await once(product, 'listening')
      onTestFinished(() => void product.close())
      const { port } = await bell()
      const upstream = { bell: port, product: String((product.address() as { port: number }).port) }
      const proxy = await startProxy(name, upstream, shown)
      const at = async (path: string) => String((await ask({ ...proxy, from: ADA }, { path })).body)
      for (const path of [
        ...['/', '/app?x=1', '/api/session', '/unsubscribed', '/confirmed', '/desks'],
        ...theirs,
      ])
        expect(await at(path), path).toBe(`product ${path}`)
      // A link that is not whole, answered by us.
      expect(await at('/unsubscribe/x')).toContain('id="broken"')
      for (const path of [
        ...'/unsubscribe /confirm/x /confirm /brand/logo.svg /desk /desk/x'.split(' '),
        ...ours,
      ])
        expect(await at(path), path).not.toContain('product')
    },
  )
})

it('Caddy, as compose.yaml has it, takes sign-ups, each counted for the visitor’s real address', async (context) => {
  mustBeThere(context, 'caddy')
  const { port, server } = await bell({ RATE_LIMIT: '1' })
  const proxy = await startProxy('caddy', { bell: port, product: '1' }, 'compose')
  expect(await signUp(proxy, ADA, 'ada@example.com')).toBe(201)
  expect(await signUp(proxy, ADA, 'ada.two@example.com')).toBe(429)
  expect(await signUp(proxy, BOB, 'bob@example.com')).toBe(201)
  expect(server.output('stderr')).toBe('')
})
