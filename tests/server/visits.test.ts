import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { visitCounter } from '../../src/audience/visit-counter.ts'
import type { ServerSettings } from '../../src/config/programs.ts'
import { readOutcomePages } from '../../src/server/http/outcome-pages.ts'
import { paths } from '../../src/shared/api.ts'
import { queryOf } from '../../src/shared/source.ts'
import { site } from '../../src/site/site.ts'
import {
  ask,
  fromOurPage,
  openApp,
  openSince,
  postForm,
  signIn,
  subscribe,
} from '../fixtures/app.ts'
import { ids } from '../fixtures/keys.ts'
import { sourceKept } from '../fixtures/source-of.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'

const BROWSER = {
  'user-agent':
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
  'accept-encoding': 'gzip, br',
}
const ROBOT = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }
const SINCE = new Date(0)

/** Whatever somebody may make of a text to recognise it by, as it would stand in a file. */
function hashesOf(text: string): string[] {
  const digests = ['md5', 'sha1', 'sha256'].map((name) => createHash(name).update(text).digest())
  return [
    ids.of(text),
    ...digests.flatMap((digest) =>
      (['hex', 'base64', 'base64url', 'latin1'] as const).map((as) =>
        // Enough of it to be no accident.
        digest.toString(as).slice(0, 8),
      ),
    ),
  ]
}

/** The real server over a real file. */
async function open(visitsBy: ServerSettings['visits'] = 'page') {
  const file = join(tempDir(), 'subscribers.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  const faults: unknown[] = []
  const visits = visitCounter(store.visits, 'example.com', (fault) => faults.push(fault))
  const { app, logged } = await openApp({ store, visits, visitsBy })
  onTestFinished(async () => {
    await visits.close()
    await store.close()
    expect(faults).toEqual([])
  })
  /** All that was counted. */
  async function counted() {
    await visits.close()
    const hours = await store.visits.since(SINCE)
    return ['first', 'return', 'robot', 'prefetch'].map((kind) =>
      hours.reduce((sum, { counts }) => sum + counts[kind as 'first'], 0),
    )
  }
  const visit = (headers: object = {}, url = '/') =>
    ask(app, { url, headers: { ...BROWSER, ...headers } })
  return { app, store, file, counted, visit, logged }
}

describe('visits', () => {
  it('are a first or a return, by whether the browser has the page', async () => {
    const { counted, visit } = await open()
    const { headers } = await visit()
    await visit({ 'if-none-match': headers.etag })
    await visit({ 'if-none-match': '"of an older build"' })
    expect(await counted()).toEqual([2, 1, 0, 0])
  })

  it('are no other files, no HEAD and no other page', async () => {
    const { app, counted, visit } = await open()
    await visit()
    await ask(app, { url: '/', method: 'HEAD', headers: BROWSER })
    for (const url of ['/robots.txt', '/config.json', '/nothing', '/subscribed', '/healthz'])
      await visit({}, url)
    expect(await counted()).toEqual([1, 0, 0, 0])
  })

  it('have the source that their link names, or else the host of the link', async () => {
    const { counted, store, visit } = await open()
    await visit({}, '/?utm_source=HN&utm_medium=social&utm_campaign=launch')
    await visit({ referer: 'https://www.reddit.com/r/one/secret' }, '/?ref=hn')
    await visit({ referer: 'https://www.reddit.com/r/one/secret' })
    await visit({ referer: 'https://example.com/?ref=own' })
    await visit({ referer: 'nonsense' })
    await counted()
    expect((await store.visits.names(SINCE)).all).toEqual([
      { kind: 'source', name: 'hn', number: 2 },
      { kind: 'campaign', name: 'launch', number: 1 },
      { kind: 'host', name: 'reddit.com', number: 1 },
      { kind: 'medium', name: 'social', number: 1 },
    ])
  })

  it('leave nothing of a person in file or log', async () => {
    const { app, counted, file, visit, logged } = await open()
    const secret = {
      'user-agent': `${BROWSER['user-agent']} Secret/7`,
      cookie: 'secret=cookie',
      'x-forwarded-for': '203.0.113.77',
      referer: 'https://example.org/secret/path?secret=query',
      'accept-language': 'xx-secret',
    }
    await visit(secret)
    await visit(secret, '/?ref=ada@example.com&utm_medium=known')
    await subscribe(
      app,
      { ...secret, ...(await signIn(app)), referer: '/?ref=known' },
      'ada@example.net',
    )
    expect(await counted()).toEqual([2, 0, 0, 0])
    const bytes = readdirSync(dirname(file)).map((name) =>
      readFileSync(join(dirname(file), name), 'latin1'),
    )
    const lines = logged().split('\n')
    const all = bytes.join() + lines.filter((line) => !line.includes('Server listening')).join()
    // What is kept is found this way.
    for (const kept of ['ada@example.net', 'known', 'example.org', ids.of('ada@example.net')])
      expect(all).toContain(kept)
    const agent = secret['user-agent']
    for (const none of ['secret', 'Secret', 'Mozilla', '127.0.0.1', 'ada@example.com'])
      expect(all).not.toContain(none)
    for (const value of [agent, '127.0.0.1', '203.0.113.77'])
      for (const hash of hashesOf(value)) expect(all).not.toContain(hash)
  })
})

describe('with VISITS=script', () => {
  it('are counted by the first call of the page, with the source in its URL', async () => {
    const { app, counted, store, visit } = await open('script')
    await visit({}, '/?ref=hn')
    const opened = (headers: object) =>
      app.inject({ url: paths.session, headers: { ...BROWSER, ...headers } })
    await opened({ referer: 'http://localhost:80/?ref=hn' })
    await opened(ROBOT)
    await opened({ 'sec-purpose': 'prefetch;prerender' })
    await app.inject({ method: 'HEAD', url: paths.session, headers: BROWSER })
    await signIn(app)
    expect(await counted()).toEqual([1, 0, 1, 1])
    expect((await store.visits.names(SINCE)).all).toEqual([
      { kind: 'source', name: 'hn', number: 1 },
    ])
  })
})

describe('with VISITS=off', () => {
  it('nothing is counted', async () => {
    const { counted, visit } = await open('off')
    await visit()
    expect(await counted()).toEqual([0, 0, 0, 0])
  })
})

describe('the source of a sign-up', () => {
  const referer = 'https://example.com/?utm_source=hn&utm_campaign=launch'
  const source = { source: 'hn', campaign: 'launch' }

  it('is that of the page, with script and without', async () => {
    const { app, store } = await open()
    await subscribe(app, { ...openSince(5000), referer }, 'script@example.com')
    await postForm(app, { email: 'form@example.com' }, { ...fromOurPage, referer })
    await postForm(app, { email: 'direct@example.com' })
    expect(await sourceKept(store, 'script@example.com')).toEqual(source)
    expect(await sourceKept(store, 'form@example.com')).toEqual(source)
    expect(await sourceKept(store, 'direct@example.com')).toBeUndefined()
  })

  it('goes along when a form without script is posted again', async () => {
    const { app, store } = await open()
    const again = { ...fromOurPage, referer: 'https://example.com/subscribe' }
    const url = '/subscribe?ref=hn&utm_campaign=launch'
    await postForm(app, { email: 'form@example.com' }, again, { url })
    expect(await sourceKept(store, 'form@example.com')).toEqual(source)
  })

  it('puts nothing into the page that answers but what is escaped', async () => {
    const root = tempDir()
    for (const outcome of [
      'subscribed',
      'invalid-email',
      'database-unavailable',
      'failed',
    ] as const) {
      mkdirSync(dirname(join(root, site.outcomePage(outcome))), { recursive: true })
      for (const page of [site.outcomePage(outcome), site.openPage(outcome)])
        writeFileSync(join(root, page), '<form action="/subscribe#email" %EMAIL%>')
    }
    for (const isOpen of [false, true]) writeFileSync(join(root, site.filledPage(isOpen)), '')
    const app = Fastify()
    const query = queryOf({ source: '"><script>$&', campaign: 'a' })
    app.get('/', (_, reply) =>
      readOutcomePages(root, '').send(reply, 'failed', { email: '$&' }, query),
    )
    const { body } = await app.inject('/')
    expect(body).toBe(
      '<form action="/subscribe?ref=%22%3E%3Cscript%3E%24%26&#38;utm_campaign=a#email" $&#38;>',
    )
  })
})
