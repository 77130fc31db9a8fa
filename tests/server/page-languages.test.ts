import { describe, expect, it } from 'vitest'
import { unsubscribeTokens } from '../../src/keys/unsubscribe-token.ts'
import { paths } from '../../src/shared/api.ts'
import type { Requests } from '../../src/store/store.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { ask, brokenStore, fromOurPage, openApp, postForm, signIn } from '../fixtures/app.ts'
import { ids, linkKey } from '../fixtures/keys.ts'
import { startNginx } from '../fixtures/nginx.ts'

const languages = ['de', 'en', 'ar']
const titleIn = (body: string) => /<title>(.*?)<\/title>/.exec(body)?.[1]
const inEnglish = { 'accept-language': 'en-GB,en;q=0.5' }

describe('the page in several languages', () => {
  it('is at a path of each, and without one in the language that the browser asks for', async () => {
    const { app } = await openApp({ languages })
    for (const code of languages) {
      for (const url of [`/${code}/`, `/${code}/index.html`, `/${code}/?ref=hn`]) {
        const answer = await ask(app, { url, headers: inEnglish })
        expect(titleIn(answer.body)).toBe(`Fixture${code}`)
        expect(answer.headers['cache-control']).toBe('no-cache')
        expect(answer.headers.vary).toBe('accept-encoding')
      }
      const headers = { 'accept-language': `fr, ${code}-XX;q=0.9, *;q=0.1` }
      for (const url of ['/', '/index.html', '/?ref=hn'])
        expect(titleIn((await ask(app, { url, headers })).body)).toBe(`Fixture${code}`)
    }
    expect(titleIn((await ask(app, { url: '/' })).body)).toBe('Fixturede')
  })

  it('is kept by no cache for others where the language was chosen, and told to be so', async () => {
    const { app } = await openApp({ languages })
    for (const more of [{}, inEnglish, { 'accept-encoding': 'br' }]) {
      const first = await ask(app, { url: '/', headers: more })
      expect(first.headers['cache-control']).toBe('private, no-cache')
      expect(first.headers.vary).toBe('accept-encoding, accept-language')
      const headers = { ...more, 'if-none-match': String(first.headers.etag) }
      const again = await ask(app, { url: '/', headers })
      expect(again.statusCode).toBe(304)
      expect(again.headers).toMatchObject({
        'cache-control': 'private, no-cache',
        vary: 'accept-encoding, accept-language',
      })
      // Who changed the language of their browser is not left with the old page.
      const changed = await ask(app, { url: '/', headers: { ...headers, 'accept-language': 'ar' } })
      expect(changed.statusCode).toBe(200)
      expect(changed.headers.etag).not.toBe(first.headers.etag)
    }
  })

  it.for([
    ['that goes by what it is told', ''],
    ['that keeps all it gets', 'proxy_ignore_headers Cache-Control Expires;'],
  ] as const)('is nobody else’s out of a cache %s', async ([, stubborn], context) => {
    const { app } = await openApp({ languages })
    const upstream = await app.listen({ port: 0, host: '127.0.0.1' })
    const origin = await startNginx(context, upstream, {
      http: 'proxy_cache_path FOLDER/kept keys_zone=kept:1m;',
      location: `proxy_cache kept;proxy_cache_valid 200 1h;${stubborn}add_header x-cache $upstream_cache_status;`,
    })
    const found = async (path: string, code: string) => {
      const answer = await fetch(origin + path, { headers: { 'accept-language': code } })
      return [titleIn(await answer.text()), answer.headers.get('x-cache')]
    }
    for (const code of [...languages, ...languages.toReversed(), 'fr']) {
      const chosen = languages.includes(code) ? code : 'de'
      expect((await found('/', code))[0], code).toBe(`Fixture${chosen}`)
      for (const path of languages)
        expect((await found(`/${path}/`, code))[0]).toBe(`Fixture${path}`)
    }
    // The cache is one.
    expect(await found('/en/', 'de')).toEqual(['Fixtureen', stubborn ? 'HIT' : 'MISS'])
  })

  it('is found without the slash at its end, with what stood in the link', async () => {
    const { app } = await openApp({ languages })
    for (const [url, location] of [
      ['/en', '/en/'],
      ['/en?ref=hn&utm_campaign=a', '/en/?ref=hn&utm_campaign=a'],
      ['/en?a=?b', '/en/?a=?b'],
    ] as const) {
      const answer = await ask(app, { url })
      expect(answer.statusCode).toBe(308)
      expect(answer.headers.location).toBe(location)
    }
    const foreign = await ask(app, { url: '/EN/', headers: { accept: 'text/html' } })
    expect(foreign.statusCode).toBe(404)
  })

  it('turns in all of them at once', async () => {
    const url = 'https://app.example.com'
    const opening = { url: () => url, onTurn: () => {} }
    const { app } = await openApp({ languages, opening })
    for (const code of languages) {
      const answers = await Promise.all([
        ask(app, { url: `/${code}/` }),
        ask(app, { url: '/', headers: { 'accept-language': code } }),
      ])
      for (const { body } of answers) {
        expect(titleIn(body)).toBe(`Open${code}`)
        expect(body).toContain(`<a href="${url}">`)
      }
      expect(answers[1]?.headers['cache-control']).toBe('private, no-cache')
    }
  })

  it('says where there is nothing in the language of the path, else in the browser’s', async () => {
    const { app } = await openApp({ languages })
    const headers = { accept: 'text/html', ...inEnglish }
    const said = async (url: string) => {
      const answer = await ask(app, { url, headers })
      expect(answer.statusCode).toBe(404)
      return [answer.body.slice(-2), answer.headers['cache-control']]
    }
    expect(await said('/ar/nowhere')).toEqual(['ar', 'no-cache'])
    expect(await said('/nowhere')).toEqual(['en', 'private, no-cache'])
    expect(await said('/fr/')).toEqual(['en', 'private, no-cache'])
  })

  it('sends no byte that tells of languages where there is one', async () => {
    const { app } = await openApp()
    const plain = await ask(app, { url: '/' })
    const asked = await ask(app, { url: '/', headers: { 'accept-language': 'ar' } })
    expect(asked).toEqual(plain)
    expect(plain.headers['cache-control']).toBe('no-cache')
    expect(plain.headers.vary).toBe('accept-encoding')
    expect((await ask(app, { url: '/en/' })).statusCode).toBe(404)
  })
})

describe('a visit', () => {
  it('is counted at each path, and is a return for who comes from another language', async () => {
    const counted: boolean[] = []
    const visits = { count: (...[, , isReturn]: unknown[]) => void counted.push(isReturn === true) }
    const { app } = await openApp({ languages, visits })
    const isReturn = async (url: string, headers = {}) => {
      await ask(app, { url, headers })
      return counted.pop()
    }
    for (const url of ['/', '/de/', '/en/?ref=hn', '/ar/index.html']) {
      expect(await isReturn(url)).toBe(false)
      // By a link at the foot.
      expect(await isReturn(url, { 'sec-fetch-site': 'same-origin' })).toBe(true)
      expect(await isReturn(url, { 'sec-fetch-site': 'cross-site' })).toBe(false)
    }
    await ask(app, { url: '/', method: 'HEAD' })
    await ask(app, { url: '/robots.txt' })
    expect(counted).toEqual([])
  })
})

describe('the form without script', () => {
  it('is answered in the language of its path, and leads on within it', async () => {
    const { app, store } = await openApp({ languages })
    for (const code of languages) {
      const url = `/${code}/subscribe`
      const email = `${code}@example.com`
      const done = await postForm(app, { email, language: code }, fromOurPage, { url })
      expect(done.statusCode).toBe(303)
      expect(done.headers.location).toBe(`/${code}/subscribed`)
      const shown = await app.inject({ url: `/${code}/subscribed`, headers: inEnglish })
      expect(shown.body).toContain(`<p id="subscribed">${code}</p>`)
      const wrong = await postForm(app, { email: 'nobody' }, fromOurPage, { url: `${url}?ref=hn` })
      expect(wrong.statusCode).toBe(422)
      expect(wrong.body).toContain(`<p id="invalid-email">${code}</p>`)
      expect(wrong.body).toContain(`<form action="/${code}/subscribe?ref=hn#email">`)
      const again = await app.inject({ url })
      expect([again.statusCode, again.headers.location]).toEqual([303, `/${code}/`])
    }
    expect(await store.list.count()).toBe(3)
  })

  it('is answered in the first language where a page of before posts it', async () => {
    const { app } = await openApp({ languages })
    const done = await postForm(app, { email: 'ada@example.com' })
    expect(done.headers.location).toBe(paths.subscribed)
    const shown = await app.inject({ url: paths.subscribed })
    expect(shown.body).toContain('<p id="subscribed">de</p>')
  })

  it('says in that language also what cannot be read, and that the database is away', async () => {
    const store = brokenStore(new StoreUnavailable('It is away.'))
    const { app } = await openApp({ languages, store })
    const away = await postForm(app, { email: 'ada@example.com' }, fromOurPage, {
      url: '/ar/subscribe',
    })
    expect(away.statusCode).toBe(503)
    expect(away.body).toContain('<p id="database-unavailable">ar</p>')
    const strange = await app.inject({
      method: 'POST',
      url: '/ar/subscribe',
      headers: { ...fromOurPage, 'content-type': 'text/strange' },
      payload: 'x',
    })
    expect(strange.statusCode).toBe(415)
    expect(strange.body).toContain('<p id="failed">ar</p>')
  })
})

describe('what letters lead to', () => {
  it('is in the language of its path, and of before there were several in the first', async () => {
    const { app, unsubscribed } = await openApp({ languages })
    const token = unsubscribeTokens(linkKey).sign(ids.of('ada@example.com'))
    for (const [path, code] of [
      ['', 'de'],
      ['/de', 'de'],
      ['/ar', 'ar'],
    ]) {
      const url = `${path}/unsubscribe/${token}`
      expect((await app.inject({ url })).body).toBe(`<p id="ask">${code}</p>`)
      expect((await app.inject({ method: 'POST', url })).body).toBe(`<p id="done">${code}</p>`)
      const broken = await app.inject({ url: `${path}/unsubscribe/broken` })
      expect(broken.body).toBe(`<p id="broken">${code}</p>`)
    }
    expect(unsubscribed).toHaveLength(3)
    // A letter of a language that is offered no more.
    const asked = await app.inject({ url: `/fr/unsubscribe/${token}` })
    expect(asked.body).toBe('<p id="ask">de</p>')
  })

  it('is so for a confirmation too, and the receipt has the page of that language', async () => {
    const shown: unknown[] = []
    const requestConfirmation: Requests['requestConfirmation'] = async (_email, asked) =>
      void shown.push(asked.shown.language)
    const nobody = () => Promise.reject(new Error('nobody answers'))
    const requests = { requestConfirmation, changePending: nobody, lookAt: nobody }
    const { app } = await openApp({ languages, requests })
    const headers = await signIn(app)
    for (const language of ['ar', undefined, '../fr']) {
      const payload = { email: 'ada@example.com', ...(language && { language }) }
      const asked = await app.inject({ method: 'POST', url: paths.subscribers, headers, payload })
      expect(asked.statusCode).toBe(201)
    }
    await postForm(app, { email: 'ada@example.com', language: 'en' }, headers, {
      url: '/en/subscribe',
    })
    expect(shown).toEqual(['ar', 'de', 'de', 'en'])
    const ended = await app.inject({ url: `/ar/confirm/${'x'.repeat(20)}` })
    expect(ended.statusCode).toBe(410)
    expect(ended.body).toBe('<p id="ended">ar</p>')
  })
})
