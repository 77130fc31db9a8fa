import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type AppOptions, createApp } from '../src/server/app.ts'
import { paths } from '../src/shared/api.ts'
import { memoryStore } from '../src/store/memory-store.ts'
import type { SubscriberStore } from '../src/store/subscriber-store.ts'
import { linkKey } from './keys.ts'
import { writeSiteFixture } from './site-fixture.ts'
import { tempDir } from './temp-dir.ts'

type Overrides = Partial<Omit<AppOptions, 'settings'>> & Partial<AppOptions['settings']>

export interface TestApp {
  readonly app: FastifyInstance
  readonly store: SubscriberStore
  /** The ids that were unsubscribed, each time. */
  readonly unsubscribed: readonly string[]
  /** Everything the server logged, at every level. */
  readonly logged: () => string
}

/** The real server on the small site, over a memory store unless told otherwise. */
export async function openApp(overrides: Overrides = {}): Promise<TestApp> {
  const { publicUrl = null, trustProxy = [], rateLimit = 0, rateLimitDay = 0, ...rest } = overrides
  const root = overrides.root ?? tempDir()
  writeSiteFixture(root)
  const store = overrides.store ?? memoryStore()
  const unsubscribed: string[] = []
  let logged = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk
      done()
    },
  })
  const app = await createApp({
    store,
    suppressions: { unsubscribe: async (addressId) => void unsubscribed.push(addressId) },
    appId: 'test',
    sessionKey: 'a key for tests',
    linkKey,
    root,
    log: pino({ level: 'trace' }, stream),
    ...rest,
    settings: { publicUrl, trustProxy, rateLimit, rateLimitDay },
  })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  return { app, store, unsubscribed, logged: () => logged }
}

/** What a browser sends with a request that our own page makes. */
export const fromOurPage = { 'sec-fetch-site': 'same-origin' }

/** Signs a visitor in and returns the headers of the requests that follow. */
export async function signIn(app: FastifyInstance) {
  const answer = await app.inject({ method: 'POST', url: paths.session, headers: fromOurPage })
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
  return { ...fromOurPage, cookie: cookie.join('; ') }
}

/** Asks over a real connection: the page and its files never come to the framework. */
export async function ask(
  app: FastifyInstance,
  { url, method = 'GET', headers = {} }: { url: string; method?: string; headers?: object },
) {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const asked = request({ port, path: url, method, agent: false, headers: { ...headers } }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const rawPayload = Buffer.concat(await answer.toArray())
  // What belongs to the connection, and not to the answer.
  const { date: _d, connection: _c, 'keep-alive': _k, ...rest } = answer.headers
  return { statusCode: answer.statusCode, headers: rest, rawPayload, body: String(rawPayload) }
}

/** `POST /api/subscribers` as the page makes it. */
export function subscribe(
  app: FastifyInstance,
  headers: Record<string, string>,
  email: unknown,
  options: InjectOptions = {},
) {
  const payload = { email }
  return app.inject({ method: 'POST', url: paths.subscribers, headers, payload, ...options })
}

/** `POST /subscribe` as a browser posts the form. */
export function postForm(
  app: FastifyInstance,
  fields: Record<string, string>,
  headers: Record<string, string> = fromOurPage,
  options: InjectOptions = {},
) {
  return app.inject({
    method: 'POST',
    url: paths.subscribe,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
    ...options,
  })
}

/** A store whose database is away. */
export function brokenStore(reason: Error): SubscriberStore {
  const fail = () => Promise.reject(reason)
  return { add: fail, find: fail, count: fail, checkWritable: fail, async close() {} }
}
