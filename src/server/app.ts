import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type onRequestHookHandler,
} from 'fastify'
import type { ServerSettings } from '../config/server-settings.ts'
import { dataHeaders } from '../site/security-headers.ts'
import type { Outbox } from '../store/outbox.ts'
import type { Standings } from '../store/standing.ts'
import type { SubscriberStore } from '../store/subscriber-store.ts'
import {
  type ConnectionLimits,
  connectionLimits,
  hangUpOnEndlessBodies,
  hangUpWhenClosing,
  limitConnections,
} from './http/connection-limits.ts'
import { crowds } from './http/crowd.ts'
import { RequestLog } from './http/log.ts'
import { readOutcomePages } from './http/outcome-pages.ts'
import { readPageHeaders } from './http/page-headers.ts'
import { proxiesOf, warnOfWrongProxies } from './http/proxies.ts'
import { clientAddress, visitorLimits } from './http/rate-limits.ts'
import { Refusal, sendJsonRefusal } from './http/refusal.ts'
import { sameOriginOnly } from './http/same-origin.ts'
import { sessionCookie } from './http/session-cookie.ts'
import { readShown } from './http/shown.ts'
import { httpServer } from './http-server.ts'
import { confirmRoutes, type KeptAddress } from './routes/confirm.ts'
import { healthRoutes } from './routes/health.ts'
import { notFoundPage } from './routes/not-found.ts'
import { createSessions, sessionRoutes } from './routes/session.ts'
import { siteAnswerer } from './routes/site.ts'
import { readSiteFiles } from './routes/site-files.ts'
import { subscribeForm } from './routes/subscribe-form.ts'
import { type SignUp, subscriberRoutes } from './routes/subscribers.ts'
import { unsubscribeRoutes } from './routes/unsubscribe.ts'

export interface AppOptions {
  readonly store: SubscriberStore
  readonly suppressions: Pick<Standings, 'unsubscribe'>
  /** Where whoever signs up has to confirm it: nobody is on the list before they confirm. */
  readonly outbox?: Pick<Outbox, 'requestConfirmation' | 'changePending'> | undefined
  /** Whether the receipt of a consent has client addresses. */
  readonly isIpKept?: boolean
  readonly settings: Pick<ServerSettings, 'publicUrl' | 'trustProxy' | 'rateLimit' | 'rateLimitDay'>
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
  const {
    store,
    suppressions,
    outbox,
    settings,
    appId,
    root,
    log,
    limits = connectionLimits,
  } = options
  const { sessionKey, linkKey, isIpKept = false } = options
  const pageHeaders = readPageHeaders(root)
  const files = readSiteFiles(root, appId, pageHeaders)
  const answerFile = siteAnswerer({ files, log, bodyBytes: limits.bodyBytes })
  const notFound = notFoundPage(files)
  const isProxy = proxiesOf(settings.trustProxy)
  const app = Fastify({
    ...limitConnections(limits),
    serverFactory: (framework) => httpServer(limits, answerFile, framework),
    trustProxy: settings.trustProxy.length > 0 && isProxy,
    loggerInstance: log,
    logController: new RequestLog(),
    childLoggerFactory: (logger) => logger,
    // Requests on open connections are still answered while the server closes.
    return503OnClosing: false,
    // No hook runs for a request whose URL cannot be parsed.
    frameworkErrors: (error, request, reply) =>
      notFound.send(error, request, reply.headers(dataHeaders)),
  })
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler(sendJsonRefusal)
  app.setNotFoundHandler((request, reply) =>
    notFound.send(new Refusal('not-found'), request, reply),
  )

  hangUpWhenClosing(app)
  hangUpOnEndlessBodies(app, limits)
  app.addHook('onRequest', withHeaders(dataHeaders))
  warnOfWrongProxies(app, isProxy)
  const withinLimits = await visitorLimits(app, settings)

  const secure = settings.publicUrl?.startsWith('https:') ?? false
  const sessions = createSessions(sessionCookie(sessionKey, secure))
  const sameOrigin = sameOriginOnly(settings.publicUrl, log)

  sessionRoutes(app, { sessions, sameOrigin })
  const keptAddress = isIpKept ? clientAddress : () => undefined
  const signUp = outbox
    ? requestingConfirmation(outbox, root, keptAddress)
    : (email: string) => store.add(email)
  subscriberRoutes(app, { signUp, checks: [sameOrigin, sessions.required, withinLimits] })
  healthRoutes(app, { store })
  await app.register(async (pages) => {
    pages.addHook('onRequest', withHeaders(pageHeaders))
    await pages.register(subscribeForm, {
      signUp,
      sessions,
      pages: readOutcomePages(root),
      checks: [sameOrigin, withinLimits],
    })
    await pages.register(unsubscribeRoutes, { suppressions, linkKey, root })
    if (outbox) await pages.register(confirmRoutes, { outbox, linkKey, root, keptAddress })
  })
  await app.ready()
  return app
}

/** @throws when the page was built without CONFIRM=on. */
function requestingConfirmation(
  outbox: Pick<Outbox, 'requestConfirmation'>,
  root: string,
  keptAddress: KeptAddress,
): SignUp {
  const shown = readShown(root)
  const isCrowd = crowds()
  return (email, request) => {
    const askedFrom = keptAddress(request)
    return outbox.requestConfirmation(email, {
      shown: askedFrom ? { ...shown, askedFrom } : shown,
      isCrowd: isCrowd(request),
    })
  }
}

function withHeaders(headers: Readonly<Record<string, string>>): onRequestHookHandler {
  return (_request, reply, done) => {
    reply.headers(headers)
    done()
  }
}
