/** @module-tag thorough */
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Mailer } from '../../src/mail/mailer.ts'
import { createMetrics, listenForMetrics } from '../../src/server/metrics.ts'
import type { Store } from '../../src/store/store.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { ended } from '../fixtures/run.ts'
import { withCopyOfServer } from '../fixtures/server-copy.ts'
import { startedServer, startServer, visitor } from '../fixtures/spawned-server.ts'
import { openStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const copy = withCopyOfServer()

/** A server that is measured, and what Prometheus reads from it. */
async function measured(env: Record<string, string> = {}) {
  const { server, origin } = await startedServer(copy(), {
    DATA_DIR: tempDir(),
    METRICS_PORT: '0',
    RATE_LIMIT: '0',
    ...env,
  })
  const [, address = ''] = await server.printed(/Metrics are at (\S+)/)
  return { server, origin, address, scrape: async () => (await fetch(address)).text() }
}

/** A counter, by its name without what all have in common. */
function value(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`opening_bell_${name}_total `))
  return Number(line?.split(' ')[1])
}

/** Everything but the numbers. */
const frameOf = (text: string) => text.replace(/ \d+$/gm, '')

describe('metrics', () => {
  it('count answers and sign-ups, with nothing of who signed up', async () => {
    const { origin, scrape } = await measured()
    await fetch(origin)
    await fetch(`${origin}/nowhere`)
    const signUp = await visitor(origin)
    const before = await scrape()
    expect(await signUp('ada@example.com')).toBe(201)
    expect(await signUp('no address')).toBe(422)
    const text = await scrape()
    expect(value(before, 'answers_refused')).toBe(1)
    expect(value(text, 'answers') - value(before, 'answers')).toBe(2)
    expect(value(text, 'answers_refused')).toBe(2)
    expect(value(text, 'sign_ups')).toBe(1)
    expect(text).not.toContain('example.com')
  })

  it('count one more for each answer to a request of any kind, and hold nothing of what it said', async () => {
    const { origin, scrape } = await measured()
    const before = await scrape()
    const mark = 'zq1x'
    const paths = [
      ...[`/${mark}`, `/?utm_source=${mark}&ref=${mark}`, `/%${mark}`, `/unsubscribe/${mark}`],
      ...[`/assets/${mark}.js`, `/api/${mark}`, `/%00${mark}"}`, `/metrics?${mark}`, `//${mark}`],
    ]
    let asked = 0
    for (const path of paths)
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        asked += 1
        await fetch(origin + path, {
          method,
          redirect: 'manual',
          headers: { origin, referer: `http://${mark}.example/`, 'user-agent': mark, [mark]: mark },
        })
      }
    const text = await scrape()
    expect(frameOf(text)).toBe(frameOf(before))
    expect(value(text, 'answers') - value(before, 'answers')).toBe(asked)
    expect(text.split('\n').filter((line) => line.startsWith('opening_bell_'))).toHaveLength(11)
  })

  it('are read on a port of their own, at one address, and are no page of the site', async () => {
    const { origin, address } = await measured()
    expect(new URL(address).hostname).toBe('127.0.0.1')
    expect((await fetch(`${origin}/metrics`)).status).toBe(404)
    expect((await fetch(address.replace('/metrics', '/'))).status).toBe(404)
    expect((await fetch(address, { method: 'POST' })).status).toBe(405)
    expect((await fetch(address)).headers.get('content-type')).toBe('text/plain; version=0.0.4')
  })

  it('are off unless a port is named', async () => {
    const { server } = await startedServer(copy(), { DATA_DIR: tempDir() })
    expect(server.output()).not.toContain('Metrics are at')
  })

  it('say in one line why the port cannot be had', { tags: 'long' }, async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const taken = startServer(copy(), { DATA_DIR: tempDir(), METRICS_PORT: `${port}` })
    const { code, stderr } = await ended(taken)
    expect([code, stderr]).toEqual([
      1,
      `METRICS_PORT: ${port} is in use on 127.0.0.1, choose another one\n`,
    ])
    const wrong = startServer(copy(), { DATA_DIR: tempDir(), METRICS_PORT: 'yes' })
    expect((await ended(wrong)).stderr).toBe(
      'METRICS_PORT: is "yes", must be off, or a whole number from 0 to 65535, such as 9464\n',
    )
  })
})

it('tells those who come too often from those who are refused, and faults from both', async () => {
  const metrics = createMetrics()
  for (const status of [200, 304, 308, 400, 404, 429, 500, 503]) metrics.answered(status)
  const counted = ['answers', 'answers_refused', 'answers_limited', 'answers_failed']
  const text = await metrics.text()
  expect(counted.map((name) => value(text, name))).toEqual([8, 2, 1, 2])
})

describe('the port of the metrics', () => {
  async function listening(host = '127.0.0.1') {
    const server = await listenForMetrics(createMetrics().text, { port: 0, host })
    onTestFinished(() => void server.close())
    const { port } = server.address() as { port: number }
    return (hostHeader: string) =>
      new Promise<number>((resolve, reject) => {
        const { request } = process.getBuiltinModule('node:http')
        request({ port, host: '127.0.0.1', path: '/metrics', headers: { host: hostHeader } })
          .once('response', (response) => resolve(response.resume().statusCode ?? 0))
          .once('error', reject)
          .end()
      })
  }

  it('answers no website whose name was made to lead to this machine', async () => {
    const status = await listening()
    for (const host of ['127.0.0.1', 'localhost:9100', '[::1]:9100'])
      expect(await status(host)).toBe(200)
    for (const host of ['evil.example', 'evil.example:9100', '127.0.0.1.evil.example', 'a@b'])
      expect(await status(host), host).toBe(421)
  })

  it('answers by any name where it was opened to others', async () => {
    const status = await listening('0.0.0.0')
    expect(await status('bell:9100')).toBe(200)
  })
})

describe('sign-ups and letters', () => {
  it('are counted by how they ended', async () => {
    const linkKey = Buffer.alloc(32, 1)
    const options = { appId: 'test', linkKey, log: () => {} } as const
    const opened = await openStore({ ...options, dataDir: tempDir() })
    const metrics = createMetrics()
    const store = metrics.watchStore(opened.store)
    const shown = { words: 'x', page: 'a1b2c3', language: 'en' }
    await store.list.add('ada@example.com', { suspicion: 'too-quick' })
    await store.requests.requestConfirmation('bob@example.com', { shown, isCrowd: false })
    await store.close()
    await expect(store.list.add('eve@example.com')).rejects.toThrow(StoreUnavailable)
    const text = await metrics.text()
    expect(
      ['', '_with_signs', '_unavailable', '_failed'].map((one) => value(text, `sign_ups${one}`)),
    ).toEqual([2, 1, 1, 0])
    expect(text).not.toContain('example.com')
  })

  it('that met a fault are counted, and the fault is hidden from nobody', async () => {
    const fault = () => Promise.reject(new TypeError('ours'))
    const metrics = createMetrics()
    const broken = { list: { add: fault }, requests: { requestConfirmation: fault } }
    const { list, requests } = metrics.watchStore(broken as unknown as Store)
    await expect(list.add('ada@example.com')).rejects.toThrow(TypeError)
    const asked = requests.requestConfirmation('ada@example.com', {} as never)
    await expect(asked).rejects.toThrow(TypeError)
    const mailer = metrics.watchMailer({ send: fault } as unknown as Mailer)
    await expect(mailer.send({} as never)).rejects.toThrow(TypeError)
    expect(value(await metrics.text(), 'sign_ups_failed')).toBe(2)
    expect(value(await metrics.text(), 'letters_not_accepted')).toBe(1)
  })

  it('a letter counts as accepted only where the mail server took it', async () => {
    const metrics = createMetrics()
    for (const kind of ['accepted', 'deferred', 'refused', 'uncertain'] as const) {
      const send = async () => ({ kind, answer: '451 ada@example.com' })
      await metrics.watchMailer({ send } as unknown as Mailer).send({} as never)
    }
    expect(value(await metrics.text(), 'letters_accepted')).toBe(1)
    expect(value(await metrics.text(), 'letters_not_accepted')).toBe(3)
    expect(await metrics.text()).not.toContain('ada')
  })
})
