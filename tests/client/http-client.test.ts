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

/** Keeps cookies and says where it comes from, as a browser does for our own page. */
function browserFetch(): typeof fetch {
  const cookies = new Map<string, string>()
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
