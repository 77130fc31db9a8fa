import { expect, it } from 'vitest'
import { httpClient } from '../../src/client/http-client.ts'
import { fromOurPage, openApp } from '../fixtures/app.ts'
import { memoryStore } from '../fixtures/memory-store.ts'
import { clientContract } from './client-contract.ts'

clientContract('httpClient', async () => {
  const kept = new Set<string>()
  const store = memoryStore()
  const add = async (email: string) => void kept.add(email)
  const { app } = await openApp({ store: { ...store, list: { ...store.list, add } } })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  let silent = false

  return {
    async newVisitor() {
      const send = browserFetch()
      return httpClient(origin, (...args) => (silent ? unanswered(...args) : send(...args)))
    },
    emails: async () => [...kept],
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
  const store = memoryStore()
  const suspicions: (string | undefined)[] = []
  const add = async (_email: string, notes?: { suspicion?: string | undefined }) =>
    void suspicions.push(notes?.suspicion)
  const { app } = await openApp({ store: { ...store, list: { ...store.list, add } } })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const cookies = new Map<string, string>()
  const client = httpClient(origin, browserFetch(cookies))
  const { signal } = new AbortController()
  await client.signIn(signal)
  expect([...cookies.keys()]).toEqual(['session'])
  // The browser drops the cookie when its time is over.
  cookies.clear()
  const body = { email: 'ada@example.com', comment: '' }
  expect(await client.subscribe(body, signal)).toBe('subscribed')
  expect([...cookies.keys()]).toEqual(['session'])
  expect(suspicions).toHaveLength(1)
  expect(suspicions[0] ?? '').not.toContain('too-quick')
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
