import { expect, it, onTestFinished, vi } from 'vitest'
import { answering } from '../../src/client/answering.ts'
import { httpClient } from '../../src/client/http-client.ts'
import { fromOurPage, notingStore, openApp } from '../fixtures/app.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'
import { clientContract } from './client-contract.ts'

clientContract('httpClient', async () => {
  const store = storeOnFile()
  const { app } = await openApp({ store })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  let silent = false

  return {
    async newVisitor() {
      const send = browserFetch()
      return httpClient(origin, (...args) => (silent ? unanswered(...args) : send(...args)))
    },
    async emails() {
      const all = []
      for await (const { email } of store.list.stream({ standing: 'all' })) all.push(email)
      return all
    },
    async goAway() {
      app.server.closeAllConnections()
      await app.close()
    },
    fallSilent() {
      silent = true
    },
  }
})

it('signs up from a page that was open for longer than its session, as a person', async () => {
  const { notes, store } = notingStore()
  const { app } = await openApp({ store })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const cookies = new Map<string, string>()
  const client = httpClient(origin, browserFetch(cookies))
  const { signal } = new AbortController()
  await client.signIn(signal)
  expect([...cookies.keys()]).toEqual(['session'])
  // The browser drops the cookie when its time is over.
  cookies.clear()
  const typed = { email: 'ada@example.com', comment: '' }
  expect(await client.subscribe(typed, signal)).toBe('subscribed')
  expect([...cookies.keys()]).toEqual(['session'])
  expect(notes).toHaveLength(1)
  expect(notes[0]?.suspicion ?? '').not.toContain('too-quick')
})

/** A server that answers with these statuses, one after the other, and what it was sent. */
function answers(...statuses: number[]) {
  const sent: { url: string; method: string; body: unknown }[] = []
  const request: typeof fetch = async (input, init) => {
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    sent.push({ url: String(input), method: init?.method ?? '', body })
    return Response.json({ user: null }, { status: statuses.shift() ?? 500 })
  }
  return { client: httpClient('https://example.com', request), sent }
}

const patient = () => new AbortController().signal
const body = { email: 'ada@example.com' }

it.each([
  [201, 'subscribed'],
  [422, 'invalid-email'],
  [503, 'database-unavailable'],
  [403, 'failed'],
  [429, 'failed'],
  [500, 'failed'],
])('says of the answer %i to a sign-up: %s', async (status, outcome) => {
  const { client, sent } = answers(status)
  expect(await client.subscribe(body, patient())).toBe(outcome)
  expect(sent).toEqual([{ url: 'https://example.com/api/subscribers', method: 'POST', body }])
})

it('begins a session and sends a sign-up again where there is none, and says that it is late', async () => {
  const { client, sent } = answers(401, 200, 200, 201)
  expect(await client.subscribe(body, patient())).toBe('subscribed')
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'POST'])
  expect(sent.at(-1)?.body).toEqual({ ...body, isLate: true })
})

it('begins no session where there is one', async () => {
  const asked: unknown[] = []
  const request: typeof fetch = async (_, init) => {
    asked.push(init?.method)
    return Response.json({ user: { uid: 'known' } })
  }
  await httpClient('', request).signIn(patient())
  expect(asked).toEqual(['GET'])
})

it('keeps what lets a visitor answer the question, where the page has one and they signed up', async () => {
  onTestFinished(() => {
    vi.unstubAllEnvs()
    delete answering.token
  })
  const subscribe = (status: number) =>
    httpClient('', async () => Response.json({ answer: 'a token' }, { status })).subscribe(
      body,
      patient(),
    )
  vi.stubEnv('VITE_QUESTION', '')
  await subscribe(201)
  expect(answering.token).toBeUndefined()
  vi.stubEnv('VITE_QUESTION', 'on')
  await subscribe(503)
  expect(answering.token).toBeUndefined()
  await subscribe(201)
  expect(answering.token).toBe('a token')
})

it('is not signed in where the server refuses a session', async () => {
  await expect(answers(500).client.signIn(patient())).rejects.toThrow('/api/session answered 500')
  await expect(answers(200, 503).client.signIn(patient())).rejects.toThrow('answered 503')
})

/**
 * Keeps cookies and says where it comes from, as a browser does for our own page.
 *
 * @param cookies those that it keeps.
 */
function browserFetch(cookies = new Map<string, string>()): typeof fetch {
  return async (input, init) => {
    const headers = new Headers({
      ...fromOurPage,
      ...Object.fromEntries(new Headers(init?.headers)),
    })
    headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    const response = await fetch(input, { ...init, headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    return response
  }
}

/** A request that nobody answers, until its signal ends it. */
const unanswered: typeof fetch = (_, init) =>
  new Promise((_, reject) => {
    const give = () => reject(init?.signal?.reason)
    if (init?.signal?.aborted) give()
    init?.signal?.addEventListener('abort', give)
  })
