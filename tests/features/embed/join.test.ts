import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { joinFileOf } from '../../../src/features/embed/join-file.ts'
import { joinPaths } from '../../../src/features/embed/paths.ts'
import { consentIn } from '../../../src/people/pending.ts'
import { paths } from '../../../src/shared/api.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import {
  ask,
  brokenStore,
  notingStore,
  openApp,
  openSince,
  postForm,
  subscribe,
} from '../../fixtures/app.ts'
import { letterTo, startConfirming } from '../../fixtures/confirming.ts'
import { standingCounts } from '../../fixtures/standing-counts.ts'
import { storeOnFile } from '../../fixtures/store-on-file.ts'

const BLOG = 'https://blog.example.com'
const OTHER = 'https://xn--mller-kva.example:8443'
const sites = [BLOG, OTHER]
const settings = { publicUrl: 'https://example.com', ofFeatures: { EMBED_ORIGINS: sites } }
const ada = 'ada@example.com'
const url = joinPaths.join

/** What a browser sends when a form there is posted. */
const there = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.5',
  origin: BLOG,
  referer: `${BLOG}/`,
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}
/** And what our script there does. */
const byScript = { ...there, accept: 'application/json', 'sec-fetch-mode': 'cors' }

const post = (
  { app }: Pick<Awaited<ReturnType<typeof openApp>>, 'app'>,
  fields: Record<string, string>,
  headers: Record<string, string> = there,
  options = {},
) => postForm(app, fields, headers, { url, ...options })

/** All that is answered, but the time. */
function bytesOf({ statusCode, headers, rawPayload }: LightMyRequestResponse) {
  const { date: _, ...rest } = headers
  return JSON.stringify({ statusCode, rest, body: rawPayload.toString('hex') })
}

/** What a form may name to come back to, and where that leads; nothing where it is refused. */
const backs: readonly (readonly [what: string, back: string, location?: string])[] = [
  ['a page of that site', `${BLOG}/thanks?from=form#ok`, `${BLOG}/thanks?from=form#ok`],
  ['its first page', BLOG, `${BLOG}/`],
  ['a page of another one that is named', `${OTHER}/größe`, `${OTHER}/gr%C3%B6%C3%9Fe`],
  ['another site', 'https://evil.example/'],
  ['a host that begins alike', `${BLOG}.evil.example/`],
  ['a name before the host', `${BLOG}@evil.example/`],
  ['a name within it', 'https://ada:b@blog.example.com/'],
  ['another port', `${BLOG}:8443/`],
  ['plain http', BLOG.replace('https', 'http')],
  ['a subdomain', 'https://x.blog.example.com/'],
  ['no scheme', '//evil.example/'],
  ['a path of ours', '/desk'],
  ['backslashes', `${BLOG}\\@evil.example/`],
  ['more backslashes', 'https:\\\\blog.example.com/'],
  ['a header of its own', `${BLOG}/\r\nset-cookie: a=b`],
  ['a tab in the host', 'https://blog.exa\tmple.com/'],
  ['script', 'javascript:alert(1)'],
  ['an address in its query', `${BLOG}/?email=ada%40example.com`],
  ['no end', `${BLOG}/${'x'.repeat(1000)}`],
]

describe('a form on a site that EMBED_ORIGINS names', () => {
  it('signs up, makes no session, and leads to the thanks', async () => {
    const { app, store } = await openApp(settings)
    for (const origin of sites) {
      const email = `${new URL(origin).port}ada@example.com`
      const answer = await post({ app }, { email }, { ...there, origin })
      expect([answer.statusCode, answer.headers.location]).toEqual([303, joinPaths.joined])
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(await store.list.find(email)).toBeDefined()
    }
    const thanks = await app.inject({ url: joinPaths.joined })
    expect(thanks.body).toContain('id="subscribed"')
  })

  it('comes back to a page that it names, if that is on these sites, and else to our own', async () => {
    const opened = await openApp(settings)
    for (const [what, back, location = joinPaths.joined] of backs) {
      const answer = await post(opened, { email: ada, back })
      expect([answer.statusCode, answer.headers.location], what).toEqual([303, location])
    }
  })

  it('gets our page with what was typed, where it is wrong or the database is away', async () => {
    const wrong = await post(await openApp(settings), { email: '"><script>', back: `${BLOG}/` })
    expect(wrong.statusCode).toBe(422)
    expect(wrong.body).toContain('<p id="invalid-email">')
    expect(wrong.body).toContain('value="&#34;&#62;&#60;script&#62;"')
    const store = brokenStore(new StoreUnavailable('It is away.'))
    const away = await post(await openApp({ ...settings, store }), { email: ada })
    expect(away.statusCode).toBe(503)
    expect(away.body).toContain('<p id="database-unavailable">')
  })

  it('is answered in the same bytes, however the address stands, with script and without', async () => {
    for (const headers of [there, byScript]) {
      const { app, store } = await openApp(settings)
      await store.list.add('known@example.com')
      const answers = ['new@example.com', 'known@example.com', 'new@example.com'].map(
        async (email) => bytesOf(await post({ app }, { email }, headers)),
      )
      expect(new Set(await Promise.all(answers)).size).toBe(1)
    }
  })

  it('counts for the same limits as our own page', async () => {
    const opened = await openApp({ ...settings, rateLimit: 1 })
    await post(opened, { email: ada })
    const answer = await post(opened, { email: ada }, byScript)
    expect([answer.statusCode, answer.json()]).toEqual([429, { error: 'too-many-requests' }])
  })

  it('has that site as the source, or what its form or link names', async () => {
    const { notes, store } = notingStore()
    const opened = await openApp({ ...settings, store, visits: { count: () => {} } })
    await post(opened, { email: ada })
    await post(opened, { email: ada, ref: 'Footer' })
    await post(opened, { email: ada, utm_source: 'hn', utm_campaign: 'launch' }, byScript)
    await post(opened, { email: ada }, there, { url: `${url}?ref=pricing` })
    await post(opened, { email: ada, ref: 'ada@example.com' })
    expect(notes.map((note) => note?.source)).toEqual([
      { source: 'blog.example.com' },
      { source: 'footer' },
      { source: 'hn', campaign: 'launch' },
      { source: 'pricing' },
      { source: 'blog.example.com' },
    ])
  })

  it('speaks the language of its path, and notes it', async () => {
    const { notes, store } = notingStore()
    const { app } = await openApp({ ...settings, store, languages: ['de', 'ar'] })
    const done = await post({ app }, { email: ada }, there, { url: `/ar${url}` })
    expect(done.headers.location).toBe(`/ar${joinPaths.joined}`)
    const wrong = await post({ app }, { email: 'nobody' }, there, { url: `/ar${url}?ref=hn` })
    expect(wrong.body).toContain('<p id="invalid-email">ar</p>')
    // Without a word that block lists have.
    expect(wrong.body).toContain(`<form action="/ar${joinPaths.join}?ref=hn#email">`)
    expect(notes.map((note) => note?.fields)).toEqual([{ language: 'ar' }])
  })

  it('is confirmed by a letter that names that site, and so does the receipt', {
    tags: 'thorough',
  }, async () => {
    const store = storeOnFile()
    const { app } = await openApp({ ...settings, store, requests: store.requests })
    const { relay } = await startConfirming(store.requests)
    await post({ app }, { email: ada })
    const { letter, path } = await letterTo(relay, ada)
    expect(letter.text?.replace(/\s+/g, ' ')).toContain('was left on blog.example.com')
    await app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'answer=yes',
    })
    for await (const { extra } of store.list.stream({}))
      expect(consentIn(extra)).toMatchObject({
        words: 'Be the first | Notify Me',
        page: BLOG,
        language: 'en',
      })
    expect((await standingCounts(store)).subscribed).toBe(1)
  })
})

describe('its script', () => {
  it('may read the answer on that site alone, in every cache, and without a cookie', async () => {
    const { app, store } = await openApp(settings)
    const good = await post({ app }, { email: ada }, byScript)
    expect([good.statusCode, good.json()]).toEqual([201, {}])
    const wrong = await post({ app }, { email: 'nobody' }, byScript)
    expect([wrong.statusCode, wrong.json()]).toEqual([422, { error: 'invalid-email' }])
    const huge = await post({ app }, { email: 'a'.repeat(20_000) }, byScript)
    expect(huge.statusCode).toBe(413)
    for (const { headers } of [good, wrong, huge]) {
      expect(headers['access-control-allow-origin']).toBe(BLOG)
      expect(headers.vary).toBe('Origin')
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
    expect(await store.list.count()).toBe(1)
  })

  it('needs no preflight, and none is granted', async () => {
    const { app } = await openApp(settings)
    const asked = { ...byScript, 'access-control-request-method': 'POST' }
    const answer = await app.inject({ method: 'OPTIONS', url, headers: asked })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})

const strangers: [string, Record<string, string | undefined>][] = [
  ['another site', { origin: 'https://evil.example' }],
  ['a subdomain', { origin: 'https://x.blog.example.com' }],
  ['the domain above', { origin: 'https://example.com.evil.example' }],
  ['plain http', { origin: 'http://blog.example.com' }],
  ['another port', { origin: `${BLOG}:8443` }],
  ['the default port, written out', { origin: `${BLOG}:443` }],
  ['capitals', { origin: 'https://Blog.example.com' }],
  ['letters of another alphabet', { origin: 'https://m\u00fcller.example:8443' }],
  ['two origins', { origin: `${BLOG}, ${OTHER}` }],
  ['a path', { origin: `${BLOG}/` }],
  ['no origin', { origin: undefined }],
  ['a referrer alone', { origin: undefined, 'sec-fetch-site': undefined }],
]

it('refuses every other site: nobody signs up, and no script may read the answer', async () => {
  const { app, store } = await openApp(settings)
  for (const [who, changed] of strangers)
    for (const base of [there, byScript]) {
      const sent = Object.entries({ ...base, ...changed }).filter(
        ([, value]) => value !== undefined,
      )
      const headers = Object.fromEntries(sent) as Record<string, string>
      const answer = await post({ app }, { email: ada, back: `${BLOG}/` }, headers)
      expect(answer.statusCode, who).toBe(403)
      expect(answer.headers['access-control-allow-origin'], who).toBeUndefined()
      expect(answer.headers.vary, who).toBe('Origin')
      expect(answer.headers['set-cookie'], who).toBeUndefined()
    }
  expect(await store.list.count()).toBe(0)
})

describe('what EMBED_ORIGINS changes elsewhere', () => {
  it('is nothing: every other path refuses in the same bytes, also those sites', async () => {
    const [off, on] = [await openApp({ publicUrl: settings.publicUrl }), await openApp(settings)]
    const headers = { ...openSince(9000), ...there }
    for (const origin of [BLOG, 'https://evil.example', 'null']) {
      const refusals = async ({ app }: typeof on) => [
        bytesOf(await postForm(app, { email: ada }, { ...headers, origin })),
        bytesOf(await subscribe(app, { ...headers, origin }, ada)),
        bytesOf(
          await app.inject({ method: 'POST', url: paths.session, headers: { ...headers, origin } }),
        ),
      ]
      const answers = await refusals(on)
      expect(answers).toEqual(await refusals(off))
      expect(answers.filter((one) => one.includes('"statusCode":403'))).toHaveLength(3)
    }
    expect(await on.store.list.count()).toBe(0)
  })

  it('is without it no path at all: each answers as one that leads nowhere', async () => {
    const { app } = await openApp({ publicUrl: settings.publicUrl })
    const nowhere = bytesOf(await post({ app }, { email: ada }, there, { url: '/nowhere' }))
    for (const one of [url, joinPaths.joined])
      expect(bytesOf(await post({ app }, { email: ada }, there, { url: one }))).toBe(nowhere)
  })
})

describe('a form that cannot say where it stands (Origin: null)', () => {
  const unnamed = { ...there, origin: 'null' }

  it('gets our own page with the address in it, and one press there signs up', async () => {
    const { app, store } = await openApp({ ...settings, languages: ['en', 'ar'] })
    const fields = { email: '"ada"@example.com', back: `${BLOG}/`, ref: 'framed' }
    const answer = await post({ app }, fields, unnamed, { url: `/en${url}` })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers.location).toBeUndefined()
    expect(answer.body).toBe(
      '<p id="filled">en</p><form action="/en/join?ref=framed#email"><input value="&#34;ada&#34;@example.com"></form>',
    )
    expect(await store.list.count()).toBe(0)
    const pressed = { ...there, origin: 'https://example.com', 'sec-fetch-site': 'same-origin' }
    const done = await post({ app }, { email: ada }, pressed, { url: `/en${url}` })
    expect([done.statusCode, done.headers.location]).toEqual([303, '/en/joined'])
    expect(await store.list.count()).toBe(1)
  })

  it('is refused where a script posts it, which lets the form go by itself', async () => {
    const { app, store } = await openApp(settings)
    const answer = await post({ app }, { email: ada }, { ...byScript, origin: 'null' })
    expect(answer.statusCode).toBe(403)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(await store.list.count()).toBe(0)
  })
})

describe('ten people on such a site', () => {
  const safari = {
    ...there,
    'user-agent':
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.6 Safari/605.1.15',
  }
  const without = (headers: Record<string, string>, ...names: string[]) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
  const fetchHeaders = ['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest']
  const people: Record<string, [headers: Record<string, string>, fields?: object]> = {
    'with script': [byScript],
    'without script': [there],
    'in an old Safari, which says less': [without(safari, ...fetchHeaders)],
    'behind a proxy that strips headers': [without(there, ...fetchHeaders, 'referer')],
    'on a subdomain, whose browser has our cookie': [
      { ...there, ...openSince(300), 'sec-fetch-site': 'same-site' },
    ],
    'whose password manager fills all that they see': [there, { name: 'Ada Lovelace' }],
    'with a text browser': [{ ...without(there, ...fetchHeaders), 'user-agent': 'w3m/0.5.3' }],
    'who send no user agent': [without(there, 'user-agent')],
    'with an address of a relay': [byScript, { email: 'a1b2c3@privaterelay.appleid.com' }],
    'who type fast, one after the other': [byScript],
  }

  it('reach the list, and none is quarantined', async () => {
    const { notes, store } = notingStore()
    const opened = await openApp({ ...settings, store })
    for (const [i, [headers, fields]] of Object.values(people).entries()) {
      const answer = await post(opened, { email: `p${i}@example.com`, ...fields }, headers)
      expect(answer.statusCode).toBeLessThan(304)
    }
    expect(await store.list.count()).toBe(Object.keys(people).length)
    expect(notes.map((note) => note?.suspicion)).toEqual(notes.map(() => undefined))
  })

  it('are told from a program, which is quarantined as on our own page', async () => {
    const { notes, store } = notingStore()
    const opened = await openApp({ ...settings, store })
    await post(opened, { email: ada }, { ...there, 'user-agent': 'curl/8.0' })
    await post(opened, { email: ada, comment: 'cheap' })
    expect(notes.map((note) => note?.suspicion)).toEqual(['program', 'hidden-field'])
  })
})

describe('the script that it may load', () => {
  it('is kept for good at an address of its own, for every site, and only with EMBED_ORIGINS', async () => {
    const { path } = joinFileOf('console.log("")')
    const { app } = await openApp(settings)
    const answer = await ask(app, { url: path, headers: { 'accept-encoding': 'br' } })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect((await ask((await openApp()).app, { url: path })).statusCode).toBe(404)
  })
})
