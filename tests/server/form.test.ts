import { describe, expect, it } from 'vitest'
import { paths } from '../../src/shared/api.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { brokenStore, fromOurPage, openApp, postForm, signIn } from '../fixtures/app.ts'

describe('the form without script', () => {
  it('signs the visitor in, keeps the address and shows the thanks', async () => {
    const { app, store } = await openApp()
    const answer = await postForm(app, { email: ' Visitor@Example.com ' })
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe(paths.subscribed)
    expect(answer.cookies).toMatchObject([{ httpOnly: true }])
    expect(await store.list.find('visitor@example.com')).toBeDefined()

    const thanks = await app.inject({ url: paths.subscribed })
    expect(thanks.statusCode).toBe(200)
    expect(thanks.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(thanks.body).toBe('<p id="subscribed"></p><input value="">')
  })

  it('answers our script in JSON, by the same checks', async () => {
    const { app, store } = await openApp({ rateLimit: 3 })
    const post = (email: string, from: object = fromOurPage) =>
      postForm(app, { email }, { ...from, accept: 'application/json' })
    const answer = await post('visitor@example.com')
    expect([answer.statusCode, answer.body]).toEqual([201, '{}'])
    expect(answer.headers['cache-control']).toBe('no-store')
    const refusals = [
      await post('visitor@example.com', { 'sec-fetch-site': 'cross-site' }),
      await post('no address'),
      await post('another@example.com'),
    ]
    expect(refusals.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [403, '{"error":"cross-origin"}'],
      [422, '{"error":"invalid-email"}'],
      [429, '{"error":"too-many-requests"}'],
    ])
    expect(await store.list.count()).toBe(1)
  })

  it('signs nobody in who is signed in', async () => {
    const { app, store } = await openApp()
    const answer = await postForm(app, { email: 'visitor@example.com' }, await signIn(app))
    expect(answer.statusCode).toBe(303)
    expect(answer.cookies).toEqual([])
    expect(await store.list.count()).toBe(1)
  })

  it('gives an invalid address back, as text and never as markup', async () => {
    const { app } = await openApp()
    const answer = await postForm(app, { email: `"><script>'$&$1&amp;` })
    expect(answer.statusCode).toBe(422)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toBe(
      '<p id="invalid-email"></p><input value="&#34;&#62;&#60;script&#62;&#39;$&#38;$1&#38;amp;">',
    )
  })

  it('gives the address back when the database cannot be used', async () => {
    const { app } = await openApp({ store: brokenStore(new StoreUnavailable('It is away.')) })
    const answer = await postForm(app, { email: 'visitor@example.com' })
    expect(answer.statusCode).toBe(503)
    expect(answer.body).toBe('<p id="database-unavailable"></p><input value="visitor@example.com">')
  })

  it('gives the address back when there were too many', async () => {
    const { app } = await openApp({ rateLimit: 1 })
    await postForm(app, { email: 'first@example.com' })
    const answer = await postForm(app, { email: 'second@example.com' })
    expect(answer.statusCode).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect(answer.body).toBe('<p id="failed"></p><input value="second@example.com">')
  })

  it('refuses what another site posts, and signs nobody in', async () => {
    const { app, store } = await openApp()
    const from = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const answer = await postForm(app, { email: 'visitor@example.com' }, from)
    expect(answer.statusCode).toBe(403)
    expect(answer.body).toContain('id="failed"')
    expect(answer.cookies).toEqual([])
    expect(await store.list.count()).toBe(0)
  })

  it.each([
    ['no field', '', 422, 'invalid-email'],
    ['another field', 'name=visitor', 422, 'invalid-email'],
    ['the field twice', 'email=a%40b.co&email=c%40d.co', 400, 'failed'],
    ['another field twice', 'email=a%40b.co&comment=1&comment=2', 400, 'failed'],
    ['broken escapes', 'email=%E0%A4%A', 422, 'invalid-email'],
    ['too much', `email=${'a'.repeat(20_000)}`, 413, 'failed'],
  ])('answers a form with %s with the page', async (_what, payload, status, page) => {
    const { app } = await openApp()
    const answer = await postForm(app, {}, undefined, { payload })
    expect(answer.statusCode).toBe(status)
    expect(answer.body).toContain(`id="${page}"`)
  })

  it('answers what is not a form with the page', async () => {
    const { app } = await openApp()
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const answer = await postForm(app, {}, headers, { payload: '{"email":"a@b.co"}' })
    expect(answer.statusCode).toBe(415)
    expect(answer.body).toContain('id="failed"')
  })

  it('leads back to the page who asks for the address it posts to', async () => {
    const { app } = await openApp()
    const answer = await app.inject({ url: paths.subscribe })
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe('/')
  })
})
