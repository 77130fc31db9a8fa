import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beganAt, newUid, sessionCookie } from '../../src/server/http/session-cookie.ts'
import { paths } from '../../src/shared/api.ts'
import {
  browser,
  notingStore,
  openApp,
  openSince,
  postForm,
  signIn,
  subscribe,
} from '../fixtures/app.ts'

async function openNoted(overrides: Parameters<typeof openApp>[0] = {}) {
  const { notes, store } = notingStore()
  const opened = await openApp({ store, ...overrides })
  return { ...opened, suspicions: () => notes.map((note) => note?.suspicion) }
}

const post = (
  { app }: Awaited<ReturnType<typeof openNoted>>,
  headers: Record<string, string>,
  body: object,
) => app.inject({ method: 'POST', url: paths.subscribers, headers, payload: body })

describe('a session', () => {
  it('says when it began, and nothing else of anybody', () => {
    const now = Date.UTC(2026, 10, 22)
    const uid = newUid(now)
    expect(uid).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(beganAt(uid)).toBe(now)
    expect(newUid(now)).not.toBe(uid)
  })
})

describe('a sign-up', () => {
  it('is told apart by the hidden field, with script and without', async () => {
    const noted = await openNoted()
    await post(noted, openSince(2000), { email: 'ada@example.com', comment: '' })
    await post(noted, openSince(2000), { email: 'bob@example.com', comment: 'Buy' })
    await postForm(noted.app, { email: 'cyd@example.com', comment: ' ' }, browser)
    await postForm(noted.app, { email: 'dan@example.com', comment: 'Buy' }, browser)
    expect(noted.suspicions()).toEqual([undefined, 'hidden-field', undefined, 'hidden-field'])
  })

  it('is told apart by its haste, where the session did not come late', async () => {
    const noted = await openNoted()
    const soon = { ...browser, cookie: (await signIn(noted.app)).cookie }
    await post(noted, soon, { email: 'ada@example.com' })
    await post(noted, openSince(0), { email: 'bob@example.com', isLate: true })
    await post(noted, openSince(0), { email: 'cyd@example.com', isLate: false })
    expect(noted.suspicions()).toEqual(['too-quick', undefined, 'too-quick'])
  })

  it('is not told apart by a young session, where the form could be used for long before', async () => {
    const noted = await openNoted()
    const late = (openFor: number) => ({ email: 'ada@example.com', openFor })
    await post(noted, openSince(400), late(8000))
    await post(noted, openSince(400), { ...late(8000), comment: 'Ada Lovelace' })
    await postForm(noted.app, { email: 'bob@example.com', openFor: '8000' }, openSince(400))
    // A robot that waits for its session in a page that is there at once.
    await post(noted, openSince(200), late(500))
    await post(noted, openSince(200), { ...late(500), comment: 'Buy' })
    expect(noted.suspicions()).toEqual([
      ...[undefined, undefined, undefined],
      ...['too-quick', 'hidden-field, too-quick'],
    ])
  })

  it('is told apart by the time of its own session alone: one that we did not sign is none', async () => {
    const noted = await openNoted()
    const forged =
      sessionCookie(Buffer.from('another key'), false).write(newUid(0)).split(';')[0] ?? ''
    const form = { email: 'ada@example.com', comment: 'Buy' }
    await postForm(noted.app, form, { ...browser, cookie: forged })
    await postForm(noted.app, form, openSince(60_000))
    expect(noted.suspicions()).toEqual(['hidden-field', undefined])
  })

  it('is told apart by what sends it', async () => {
    const noted = await openNoted()
    await post(noted, { ...openSince(5000), 'user-agent': 'curl/8.14.1' }, { email: 'a@b.example' })
    expect(noted.suspicions()).toEqual(['program'])
  })

  it('is counted by the visitor that a named proxy forwards, and not where that is private', async () => {
    for (const [forwarded, last] of [
      ['203.0.113.7', 'headers, network-share'],
      ['10.0.0.7', undefined],
    ] as const) {
      const noted = await openNoted({ trustProxy: ['loopback'] })
      for (let i = 0; i < 11; i += 1) {
        const { 'sec-fetch-mode': _, ...headers } = openSince(5000)
        const from = { ...headers, 'x-forwarded-for': forwarded }
        await subscribe(noted.app, from, `p${i}@gmail.com`)
      }
      expect(noted.suspicions().slice(0, 10)).toEqual(Array(10).fill(undefined))
      expect(noted.suspicions().at(-1)).toBe(last)
    }
  })

  it('is answered alike, to the byte, whatever was seen', async () => {
    const { app } = await openNoted()
    const answers = []
    for (const body of [{}, { comment: 'Buy' }, { comment: 'Buy', isLate: true }]) {
      const headers = { ...openSince(100), 'content-type': 'application/json' }
      const payload = { email: 'ada@example.com', ...body }
      const answer = await app.inject({ method: 'POST', url: paths.subscribers, headers, payload })
      const { date: _, ...rest } = answer.headers
      answers.push({ status: answer.statusCode, body: answer.body, rest })
    }
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  it('is judged before it is asked to be confirmed too', async () => {
    const asked: object[] = []
    const requests = {
      requestConfirmation: async (
        email: string,
        { isCrowd, suspicion }: object & { isCrowd: boolean; suspicion?: string | undefined },
      ) => void asked.push({ email, isCrowd, suspicion }),
      changePending: () => Promise.reject(new Error('nobody presses')),
      lookAt: () => Promise.reject(new Error('nobody looks')),
    }
    const noted = await openNoted({ requests })
    await post(noted, openSince(5000), { email: 'ada@example.com' })
    await post(noted, openSince(2000), { email: 'bob@example.com', comment: 'Buy' })
    expect(asked).toEqual([
      { email: 'ada@example.com', isCrowd: false, suspicion: undefined },
      { email: 'bob@example.com', isCrowd: false, suspicion: 'hidden-field' },
    ])
  })

  it.each([
    'email=a%40b.example&comment[]=1&comment[x]=2',
    'email=a%40b.example&__proto__=1&comment=1',
    'email=a%40b.example&comment=%E0%A4%A',
  ])('with fields that no browser sends is no fault: %s', async (payload) => {
    const { app, suspicions } = await openNoted()
    const answer = await postForm(app, {}, browser, { payload })
    expect(answer.statusCode).toBe(303)
    expect(suspicions()).toHaveLength(1)
  })

  it('is no fault whatever is in the other fields and headers, and none of it is logged', async () => {
    const { app, logged } = await openNoted()
    const headers = openSince(5000)
    const text = fc.string({ maxLength: 40 }).map((one) => `canary${one}`)
    const anything = fc.anything({ withNullPrototype: true })
    await fc.assert(
      fc.asyncProperty(anything, anything, text, async (comment, isLate, word) => {
        const agent = encodeURIComponent(word.toWellFormed())
        const payload = JSON.stringify(
          { email: `${agent.slice(0, 30)}@b.example`, comment, isLate, word },
          (_, value) => (typeof value === 'bigint' ? 1 : value),
        )
        const sent = { ...headers, 'user-agent': agent, 'accept-language': agent }
        const json = { 'content-type': 'application/json' }
        const answer = await app.inject({
          method: 'POST',
          url: paths.subscribers,
          payload,
          headers: { ...sent, ...json },
        })
        expect([201, 400, 422]).toContain(answer.statusCode)
      }),
      { numRuns: 200 },
    )
    const big = { email: 'ada@example.com', comment: 'x'.repeat(1_000_000) }
    expect((await subscribe(app, headers, 'a@b.example', { payload: big })).statusCode).toBe(413)
    expect(logged()).not.toContain('canary')
  })
})
