import rateLimit from '@fastify/rate-limit'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type onRequestHookHandler,
} from 'fastify'
import { dataHeaders } from '../shared/site-headers.ts'
import type { Standings } from '../store/standing.ts'
import type { SubscriberStore } from '../store/subscriber-store.ts'
import {
  type ConnectionLimits,
  connectionLimits,
  hangUpOnEndlessBodies,
  hangUpWhenClosing,
  limitConnections,
} from './connection-limits.ts'
import { healthRoutes } from './health.ts'
import { RequestLog } from './log.ts'
import { readOutcomePages } from './outcome-pages.ts'
import { Refusal, sendJsonRefusal } from './refusal.ts'
import { sameOriginOnly } from './same-origin.ts'
import { readSecurityHeaders } from './security-headers.ts'
import { createSessions, sessionRoutes } from './session.ts'
import { sessionCookie } from './session-cookie.ts'
import type { Settings } from './settings.ts'
import { siteRoutes } from './site.ts'
import { subscribeForm } from './subscribe-form.ts'
import { subscriberRoutes } from './subscribers.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'

export interface AppOptions {
  readonly store: SubscriberStore
  readonly suppressions: Pick<Standings, 'unsubscribe'>
  readonly settings: Pick<Settings, 'publicUrl' | 'trustProxy' | 'rateLimit'>
  readonly appId: string
  /** Signs session cookies. */
  readonly sessionKey: string
  /** Signs unsubscribe links. */
  readonly linkKey: Buffer
  /** The folder that the build's folder is in. */
  readonly root: string
  readonly log: FastifyBaseLogger
  readonly limits?: ConnectionLimits
}

/** The whole server, ready to listen or to be given requests. The store stays the caller's. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { store, suppressions, settings, appId, root, log, limits = connectionLimits } = options
  const { sessionKey, linkKey } = options
  const app = Fastify({
    ...limitConnections(limits),
    trustProxy: settings.trustProxy.length > 0 && [...settings.trustProxy],
    loggerInstance: log,
    logController: new RequestLog(),
    childLoggerFactory: (logger) => logger,
    // What arrives on an open connection while we close is still answered.
    return503OnClosing: false,
    // No hook runs for what is not even a URL.
    frameworkErrors: (error, request, reply) =>
      sendJsonRefusal(error, request, reply.headers(dataHeaders)),
  })
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler(sendJsonRefusal)
  app.setNotFoundHandler(() => {
    throw new Refusal('not-found')
  })

  hangUpWhenClosing(app)
  hangUpOnEndlessBodies(app, limits)
  app.addHook('onRequest', withHeaders(dataHeaders))
  await app.register(rateLimit, {
    global: false,
    max: settings.rateLimit,
    errorResponseBuilder: () => new Refusal('too-many-requests'),
    // Two answers to the same address should not differ; `Retry-After` is all a visitor needs.
    addHeadersOnExceeding: noRateHeaders,
    addHeaders: noRateHeaders,
  })

  const secure = settings.publicUrl?.startsWith('https:') ?? false
  const sessions = createSessions(sessionCookie(sessionKey, secure))
  const sameOrigin = sameOriginOnly(settings.publicUrl)
  const withinLimit = settings.rateLimit > 0 ? [app.rateLimit()] : []

  sessionRoutes(app, { sessions, sameOrigin })
  subscriberRoutes(app, { store, checks: [sameOrigin, sessions.required, ...withinLimit] })
  healthRoutes(app, { store })
  await app.register(async (pages) => {
    pages.addHook('onRequest', withHeaders(readSecurityHeaders(root)))
    await pages.register(subscribeForm, {
      store,
      sessions,
      pages: readOutcomePages(root),
      checks: [sameOrigin, ...withinLimit],
    })
    await pages.register(unsubscribeRoutes, { suppressions, linkKey, root })
    await pages.register(siteRoutes, { root, appId })
  })
  await app.ready()
  return app
}

function withHeaders(headers: Readonly<Record<string, string>>): onRequestHookHandler {
  return (_request, reply, done) => {
    reply.headers(headers)
    done()
  }
}

const noRateHeaders = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
}
