import { describe, expect, it } from 'vitest'
import { unsubscribeTokens } from '../../src/keys/unsubscribe-token.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { openApp } from '../fixtures/app.ts'
import { ids, linkKey } from '../fixtures/keys.ts'

const ada = ids.of('ada@example.com')
const token = unsubscribeTokens(linkKey).sign(ada)
const url = `/unsubscribe/${token}`

/** As mail providers post, from anywhere, without a session. */
const oneClick = {
  method: 'POST',
  url,
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'https://mail.example.com',
    'sec-fetch-site': 'cross-site',
  },
  payload: 'List-Unsubscribe=One-Click',
} as const

describe('an unsubscribe link', () => {
  it('shows a page, and does nothing, when it is opened', async () => {
    const { app, unsubscribed } = await openApp()
    const answer = await app.inject({ url })
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe('<p id="ask"></p>')
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
    })
    await app.inject({ method: 'HEAD', url })
    expect(unsubscribed).toEqual([])
  })

  it('acts when it is posted, from wherever, without a session', async () => {
    const { app, unsubscribed } = await openApp({ publicUrl: 'https://example.com' })
    const answer = await app.inject(oneClick)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toBe('<p id="done"></p>')
    expect(answer.cookies).toEqual([])
    expect(unsubscribed).toEqual([ada])
  })

  const bodies: [string, Record<string, string>, string | undefined][] = [
    [
      'a multipart form',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['an empty form', { 'content-type': 'application/x-www-form-urlencoded' }, ''],
    ['JSON that is none', { 'content-type': 'application/json' }, '{'],
    ['a body of no type', {}, 'List-Unsubscribe=One-Click'],
    ['nothing at all', {}, undefined],
  ]
  for (const [what, headers, payload] of bodies)
    it(`takes ${what}`, async () => {
      const { app, unsubscribed } = await openApp()
      const answer = await app.inject({ method: 'POST', url, headers, ...(payload && { payload }) })
      expect(answer.statusCode).toBe(200)
      expect(unsubscribed).toEqual([ada])
    })

  it('answers a repeat just the same', async () => {
    const { app, unsubscribed } = await openApp()
    const first = await app.inject(oneClick)
    const again = await app.inject(oneClick)
    expect({ ...again.headers, date: '' }).toEqual({ ...first.headers, date: '' })
    expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body])
    expect(unsubscribed).toEqual([ada, ada])
  })

  it.each([
    ['a letter lost at its end', url.slice(0, -1)],
    ['half of it lost', url.slice(0, 30)],
    ['a letter too many', `${url}x`],
    ['a full stop after it', `${url}.`],
    ['another letter in it', url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['nothing behind the slash', '/unsubscribe/'],
    ['a slash in it', '/unsubscribe/a/b'],
    ['far too much of it', `/unsubscribe/${'a'.repeat(300)}`],
  ])('says that it is not whole, before and after the button: %s', async (_what, broken) => {
    const { app, unsubscribed } = await openApp()
    for (const method of ['GET', 'POST'] as const) {
      const answer = await app.inject({ ...oneClick, method, url: broken })
      expect(answer.statusCode).toBe(404)
      expect(answer.body).toBe('<p id="broken"></p>')
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      })
    }
    expect(unsubscribed).toEqual([])
  })

  it('knows no limit: a mail provider posts for many from one address', async () => {
    const { app, unsubscribed } = await openApp({ rateLimit: 1 })
    for (let i = 0; i < 20; i += 1) expect((await app.inject(oneClick)).statusCode).toBe(200)
    expect(unsubscribed).toHaveLength(20)
  })

  it('says that it did not work when the database is away, so that it is tried again', async () => {
    const away = () => Promise.reject(new StoreUnavailable('away'))
    const suppressions = { unsubscribe: away }
    const { app } = await openApp({ suppressions })
    const answer = await app.inject(oneClick)
    expect(answer.statusCode).toBe(503)
    expect(answer.body).toBe('<p id="unavailable"></p>')
  })

  it('stands in no log', async () => {
    const { app, logged } = await openApp()
    await app.inject({ url })
    await app.inject(oneClick)
    const fails = () => Promise.reject(new Error('a fault'))
    const suppressions = { unsubscribe: fails }
    const broken = await openApp({ suppressions })
    expect((await broken.app.inject(oneClick)).statusCode).toBe(500)
    expect(broken.logged()).toContain('a fault')
    for (const log of [logged(), broken.logged()]) expect(log).not.toContain(token.slice(0, 22))
  })
})
