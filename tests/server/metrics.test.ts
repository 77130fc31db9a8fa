/** @module-tag thorough */
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Mailer } from '../../src/mail/mailer.ts'
import { listenForMetrics } from '../../src/server/metrics/listen.ts'
import { createMetrics } from '../../src/server/metrics/metrics.ts'
import { watchMailer, watchStore } from '../../src/server/metrics/watched.ts'
import { paths } from '../../src/shared/api.ts'
import { openStore } from '../../src/store/open-store.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { fromOurPage, openApp } from '../fixtures/app.ts'
import { ended } from '../fixtures/run.ts'
import { copyOfServer, withCopyOfServer } from '../fixtures/server-copy.ts'
import { startedServer, startServer, visitor } from '../fixtures/spawned-server.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { isLong } from '../torture/form.ts'

const root = join(import.meta.dirname, '../..')

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

/** The value of a series; 0 where there is none. */
function value(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
}

const requests = (route: string, method: string, status: number) =>
  `opening_bell_http_requests_total{route="${route}",method="${method}",status="${status}"}`

/** All series by name and labels, without their values; those of Node's own come and go. */
const seriesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('opening_bell_'))
    .map((line) => line.slice(0, line.lastIndexOf(' ')))
    .toSorted()

describe('metrics', () => {
  it('count requests by route and status, sign-ups and commits', async () => {
    const { origin, scrape } = await measured()
    await fetch(origin)
    await fetch(`${origin}/nowhere`)
    const signUp = await visitor(origin)
    expect(await signUp('ada@example.com')).toBe(201)
    expect(await signUp('no address')).toBe(422)
    const text = await scrape()
    expect(value(text, requests('/', 'GET', 200))).toBe(1)
    expect(value(text, requests('unknown', 'GET', 404))).toBe(1)
    expect(value(text, requests('/api/subscribers', 'POST', 201))).toBe(1)
    expect(value(text, requests('/api/subscribers', 'POST', 422))).toBe(1)
    const kept = ['none', 'some'].map((signs) =>
      value(text, `opening_bell_sign_ups_total{outcome="kept",signs="${signs}"}`),
    )
    expect(kept.toSorted()).toEqual([0, 1])
    expect(value(text, 'opening_bell_commit_sign_ups_sum')).toBe(1)
    expect(value(text, 'opening_bell_commit_duration_seconds_count')).toBeGreaterThan(0)
    expect(value(text, 'opening_bell_store_usable')).toBe(1)
    expect(value(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e7)
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
    expect(text).not.toContain('example.com')
  })

  it('tell sign-ups on another site, and what was refused there, from those on the page', {
    tags: 'long',
  }, async () => {
    const site = 'https://blog.example'
    const { origin, scrape } = await measured({ EMBED_ORIGINS: site })
    const body = new URLSearchParams({ email: 'ada@example.com' })
    for (const from of [site, 'https://stranger.example'])
      await fetch(`${origin}/join`, {
        method: 'POST',
        headers: { origin: from },
        body,
        redirect: 'manual',
      })
    const text = await scrape()
    expect(value(text, requests('/join', 'POST', 303))).toBe(1)
    expect(value(text, requests('/join', 'POST', 403))).toBe(1)
    expect(text).not.toContain('blog')
    expect(text).not.toContain('stranger')
  })

  it('have no more series after any number of hostile requests, and nothing of what they said', async () => {
    const { origin, scrape } = await measured()
    const post = (path: string, body: string, headers: Record<string, string>) =>
      fetch(origin + path, { method: 'POST', body, headers, redirect: 'manual' })
    async function attack(mark: string) {
      const signUp = await visitor(origin)
      await signUp(`${mark}@${mark}.example`)
      await signUp(`${mark}"}\n`)
      for (const path of [
        ...[
          `/${mark}`,
          `/?utm_source=${mark}&ref=${mark}`,
          `/%${mark}`,
          `/unsubscribe?token=${mark}`,
        ],
        ...[`/unsubscribe/${mark}`, `/assets/${mark}.js`, `/api/${mark}`, `/%00${mark}"}`, '/\\"'],
        ...[
          `/confirm/${mark}`,
          `/brand/${mark}`,
          `/metrics?${mark}`,
          `//${mark}`,
          `/${mark}`.repeat(99),
        ],
      ])
        for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND'])
          await fetch(origin + path, {
            method,
            redirect: 'manual',
            headers: {
              origin,
              referer: `http://${mark}.example/`,
              'user-agent': mark,
              [mark]: mark,
            },
          })
      for (const type of ['application/json', 'text/plain', mark, `${mark}/${mark}`])
        await post('/api/subscribers', `{"email":"${mark}@example.com"}`, {
          origin,
          'content-type': type,
          cookie: `session=${mark}`,
        })
      await post('/subscribe', `email=${mark}%40example.com&comment=${mark}`, {
        origin,
        'content-type': 'application/x-www-form-urlencoded',
      })
    }
    const hostile = isLong ? ['zq1x', 'zq2x', 'zq3x'] : ['zq1x']
    await attack('aaaa')
    const before = seriesOf(await scrape())
    for (const mark of hostile) await attack(mark)
    const text = await scrape()
    expect(seriesOf(text)).toEqual(before)
    expect(text).not.toMatch(/zq\dx|aaaa/)
    const methods = before.map((series) => /method="(\w+)"/.exec(series)?.[1])
    expect(new Set(methods)).toEqual(new Set([undefined, 'GET', 'HEAD', 'POST', 'other']))
    expect(before.length).toBeLessThan(250)
  })

  it('are read on a port of their own, at one address, and are no page of the site', async () => {
    const { origin, address } = await measured()
    expect(new URL(address).hostname).toBe('127.0.0.1')
    expect((await fetch(`${origin}/metrics`)).status).toBe(404)
    expect((await fetch(address.replace('/metrics', '/'))).status).toBe(404)
    expect((await fetch(address, { method: 'POST' })).status).toBe(405)
    const head = await fetch(address, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/plain; version=0.0.4'),
    ])
  })

  it('are off unless a port is named, and then nothing of them is loaded', async () => {
    // All packages but the one.
    const project = copyOfServer()
    const packages = join(project, 'node_modules')
    rmSync(packages)
    mkdirSync(packages)
    for (const name of readdirSync(join(root, 'node_modules')))
      if (name !== '@prometheus-io')
        symlinkSync(join(root, 'node_modules', name), join(packages, name))
    const { server, origin } = await startedServer(project, { DATA_DIR: tempDir() })
    expect(server.output()).not.toContain('Metrics are at')
    expect((await fetch(origin)).status).toBe(200)
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
      'METRICS_PORT: is "yes", must be off, or a whole number from 0 to 65535\n',
    )
  })
})

it('each answer is counted once: of a route, of a path that there is not, and of one that cannot be read', async () => {
  const metrics = createMetrics()
  const { app } = await openApp({ metrics })
  await app.inject({ method: 'POST', url: paths.session, headers: fromOurPage })
  await app.inject('/nowhere')
  await app.inject('/%zz')
  const text = await metrics.registry.metrics()
  expect(value(text, requests(paths.session, 'POST', 200))).toBe(1)
  expect(value(text, requests('unknown', 'GET', 404))).toBe(1)
  expect(value(text, requests('unknown', 'GET', 400))).toBe(1)
})

describe('the port of the metrics', () => {
  async function listening(host = '127.0.0.1') {
    const { registry } = createMetrics()
    const server = await listenForMetrics(registry, { port: 0, host })
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

/** The metrics of a list in a folder, all that there are. */
async function watched(isPaidFor = false) {
  const dataDir = tempDir()
  const linkKey = Buffer.alloc(32, 1)
  const metrics = createMetrics()
  const options = { kind: 'sqlite', dataDir, appId: 'test', linkKey, log: () => {} } as const
  const opened = await openStore({ ...options, onCommit: metrics.committed })
  onTestFinished(() => opened.store.close())
  const store = watchStore(metrics, { ...opened, confirms: true, isPaidFor })
  return { metrics, store, dataDir, opened, text: () => metrics.registry.metrics() }
}

describe('what is measured by looking', () => {
  it('says when the last back-up was, and when one was last tried', async () => {
    const { opened, text } = await watched()
    expect(await text()).not.toMatch(/^opening_bell_(backup|rehearsal)_\w+ /m)
    await opened.backups?.write(join(tempDir(), 'copy.sqlite'))
    await opened.backups?.noteRehearsal({ at: new Date(77_000), copy: 'x', fault: undefined })
    await opened.backups?.noteRehearsal({ at: new Date(99_000), copy: 'x', fault: 'no' })
    const now = await text()
    expect(value(now, 'opening_bell_backup_last_timestamp_seconds')).toBeGreaterThan(1.7e9)
    expect(value(now, 'opening_bell_rehearsal_last_good_timestamp_seconds')).toBe(77)
    expect(value(now, 'opening_bell_rehearsal_failed')).toBe(1)
  })

  it('says that letters wait, and how those that left came out', async () => {
    const { store, metrics, text } = await watched()
    const shown = { words: 'x', page: 'a1b2c3', language: 'en' }
    await store.outbox.requestConfirmation('ada@example.com', { shown, isCrowd: false })
    const send = async () => ({ kind: 'deferred', answer: '451 ada@example.com' }) as const
    const mailer = watchMailer(metrics, { send } as unknown as Mailer)
    await mailer.send({} as never)
    const now = await text()
    expect(value(now, 'opening_bell_outbox_waiting')).toBe(1)
    expect(value(now, 'opening_bell_letters_total{outcome="deferred"}')).toBe(1)
    expect(value(now, 'opening_bell_sign_ups_total{outcome="kept",signs="none"}')).toBe(1)
    expect(now).not.toContain('ada')
  })

  it('says that the store is away, and counts who was told so', async () => {
    const { store, opened, text } = await watched()
    await opened.store.close()
    await expect(store.list.add('ada@example.com', { suspicion: 'too-quick' })).rejects.toThrow(
      StoreUnavailable,
    )
    const now = await text()
    expect(value(now, 'opening_bell_store_usable')).toBe(0)
    expect(now).toContain('opening_bell_store_usable 0')
    expect(value(now, 'opening_bell_sign_ups_total{outcome="unavailable",signs="some"}')).toBe(1)
  })

  it('counts a fault of ours, and hides it from nobody', async () => {
    const { opened } = await watched()
    const metrics = createMetrics()
    const fault = () => Promise.reject(new TypeError('ours'))
    const broken = {
      ...opened.store,
      list: { ...opened.store.list, add: fault },
      outbox: { ...opened.store.outbox, requestConfirmation: fault },
    }
    const store = watchStore(metrics, {
      store: broken,
      backups: undefined,
      confirms: false,
      isPaidFor: true,
    })
    await expect(store.list.add('ada@example.com')).rejects.toThrow(TypeError)
    await expect(store.outbox.requestConfirmation('ada@example.com', {} as never)).rejects.toThrow(
      TypeError,
    )
    const now = await metrics.registry.metrics()
    expect(value(now, 'opening_bell_sign_ups_total{outcome="fault",signs="none"}')).toBe(2)
    // The store can be used all the same.
    expect(value(now, 'opening_bell_store_usable')).toBe(1)
  })

  it('counts a letter that met a fault, and hides it from nobody', async () => {
    const metrics = createMetrics()
    const send = () => Promise.reject(new TypeError('ours'))
    const mailer = watchMailer(metrics, { send } as unknown as Mailer)
    await expect(mailer.send({} as never)).rejects.toThrow(TypeError)
    const now = await metrics.registry.metrics()
    expect(value(now, 'opening_bell_letters_total{outcome="unusable"}')).toBe(1)
  })

  it('looks again at once where a look failed, also where looks are paid for', async () => {
    const { opened, text } = await watched(true)
    const { outbox } = opened.store
    const { counts } = outbox
    outbox.counts = () => Promise.reject(new StoreUnavailable('away'))
    expect(await text()).not.toMatch(/^opening_bell_outbox_waiting /m)
    outbox.counts = counts
    expect(await text()).toMatch(/^opening_bell_outbox_waiting 0$/m)
  })

  it('asks a store that is paid for no more than visitors do', async () => {
    const { store, opened, text } = await watched(true)
    let looks = 0
    const { checkWritable, outbox } = opened.store
    const { counts } = outbox
    Object.assign(opened.store, {
      checkWritable: () => {
        looks += 1
        return checkWritable()
      },
    })
    Object.assign(outbox, {
      counts: () => {
        looks += 1
        return counts()
      },
    })
    for (let i = 0; i < 20; i += 1) await text()
    // One look at the outbox in five minutes.
    expect(looks).toBe(1)
    await opened.store.close()
    await store.list.add('ada@example.com').catch(() => {})
    expect(await text()).toContain('opening_bell_store_usable 0')
  })
})

describe('the dashboard and the alerts', () => {
  const files = globSync('docs/grafana/*', { cwd: root })

  it('name only metrics that there are', async () => {
    const { text } = await watched()
    const known = new Set<string>()
    for (const [, name = '', type] of (await text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
      known.add(name)
      if (type === 'histogram')
        for (const end of ['bucket', 'sum', 'count']) known.add(`${name}_${end}`)
    }
    expect(files.length).toBeGreaterThanOrEqual(2)
    for (const file of files) {
      const said = readFileSync(join(root, file), 'utf8')
      const names = said.match(/\b(opening_bell|nodejs|process)_\w+/g) ?? []
      expect(names.length, file).toBeGreaterThan(5)
      expect(new Set(names.filter((name) => !known.has(name))), file).toEqual(new Set())
    }
    // And each of ours is shown, and explained.
    const shown = readFileSync(join(root, 'docs/grafana/opening-bell.json'), 'utf8')
    const explained = readFileSync(join(root, 'docs/metrics.md'), 'utf8')
    for (const name of known)
      if (/^opening_bell_\w+$/.test(name) && !/_(bucket|sum|count)$/.test(name)) {
        expect(shown, name).toContain(name)
        expect(explained, name).toContain(name)
      }
  })

  it('is one that Grafana can read: panels with places that do not overlap, and an own name', () => {
    const { title, uid, panels, templating } = JSON.parse(
      readFileSync(join(root, 'docs/grafana/opening-bell.json'), 'utf8'),
    )
    expect([title, uid]).toEqual(['Opening Bell', 'opening-bell'])
    expect(templating.list[0]).toMatchObject({ type: 'datasource', query: 'prometheus' })
    const cells = new Set<string>()
    for (const { id, title, gridPos, targets = [], type } of panels) {
      expect([typeof id, typeof title, typeof type]).toEqual(['number', 'string', 'string'])
      for (const { expr, refId } of targets)
        expect([typeof expr, typeof refId]).toEqual(['string', 'string'])
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(cells, `${title} ${x} ${y}`).not.toContain(`${x},${y}`)
          cells.add(`${x},${y}`)
        }
    }
  })
})
