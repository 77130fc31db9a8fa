import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { paths } from '../../src/shared/api.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import {
  ask,
  brokenStore,
  fromOurPage,
  openApp,
  postForm,
  signIn,
  subscribe,
} from '../fixtures/app.ts'
import { ended, run } from '../fixtures/run.ts'

const WRITES_A_LOG = join(import.meta.dirname, '../fixtures/writes-a-log.ts')

describe('the log, at its most talkative', () => {
  it.each([
    ['a store that works', undefined],
    ['a database that is away', new StoreUnavailable('It is away.')],
    ['a store that breaks', new Error('It broke.')],
  ])('holds no address, cookie or query, with %s', async (_which, fault) => {
    const { app, logged } = await openApp(fault ? { store: brokenStore(fault) } : {})
    const headers = await signIn(app)
    const json = { ...headers, 'content-type': 'application/json' }
    const url = paths.subscribers
    await subscribe(app, headers, 'secret@example.com')
    await subscribe(app, headers, 'secret@@example.com')
    await app.inject({ method: 'POST', url, headers: json, payload: 'secret@example.com' })
    await app.inject({
      method: 'POST',
      url,
      headers: fromOurPage,
      payload: { email: 'secret@x.co' },
    })
    await postForm(app, { email: 'secret@example.com' })
    await postForm(app, { email: 'secret' })
    await app.inject({ url: '/?email=secret@example.com' })
    await app.inject({ url: '/secret@example.com' })
    await app.inject({ url: '/secret@example.com%' })
    await app.inject({ url: '/', headers: { referer: 'http://localhost/?secret' } })
    await app.close()
    expect(logged()).toContain('"route":"/api/subscribers"')
    expect(logged()).not.toContain('secret')
    expect(logged()).not.toContain(headers.cookie.slice(-20))
  })

  it('has a line for a request: what was asked for, how it ended and how long it took', async () => {
    const { app, logged } = await openApp()
    await subscribe(app, fromOurPage, 'visitor@example.com')
    const line = JSON.parse(logged().trim().split('\n').at(-1) ?? '')
    expect(line).toMatchObject({
      level: 20,
      method: 'POST',
      route: '/api/subscribers',
      status: 401,
      ms: expect.any(Number),
    })
  })
})

describe('the log of answers', () => {
  async function lines(level: string) {
    let logged = ''
    const stream = new Writable({
      write(chunk, _encoding, done) {
        logged += chunk
        done()
      },
    })
    const { app } = await openApp({ log: pino({ level }, stream) })
    await ask(app, { url: '/?secret' })
    await ask(app, { url: '/robots.txt', method: 'HEAD' })
    await ask(app, { url: '/healthz' })
    await ask(app, { url: paths.subscribers, method: 'POST' })
    await ask(app, { url: `${paths.subscribers}?secret`, method: 'POST' })
    return logged
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => !String(msg).startsWith('Server listening'))
  }

  it('has one line for each, with no query, whether or not it comes to the framework', async () => {
    const said = (method: string, route: string, status = 200) => ({
      level: 20,
      method,
      route,
      status,
      ms: expect.any(Number),
      msg: 'answered',
    })
    expect(await lines('debug')).toMatchObject([
      said('GET', '/'),
      said('HEAD', '/robots.txt'),
      said('GET', '/healthz'),
      said('POST', paths.subscribers, 403),
      said('POST', paths.subscribers, 403),
    ])
  })

  it('is silent unless it is asked to talk', async () => {
    expect(await lines('info')).toEqual([])
  })
})

describe('the log of the running server', () => {
  it('goes to standard error, and holds no more of a request than its method and its route', async () => {
    const { stdout, stderr, code } = await ended(run('.', [process.execPath, WRITES_A_LOG]))
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      { level: 30, req: { method: 'POST', route: '/api/subscribers' }, msg: 'known' },
      { level: 30, req: { method: 'GET', route: null }, msg: 'unknown' },
    ])
    expect(lines.map(({ req, res }) => [Object.keys(req), res])).toEqual([
      [['method', 'route'], undefined],
      [['method', 'route'], undefined],
    ])
    expect(stderr).not.toContain('secret')
  })
})
