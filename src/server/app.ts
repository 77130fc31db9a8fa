import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import type { OpeningWatch } from '../opening/watch-opening.ts'
import { ownCompilers } from '../shared/own-compilers.ts'
import { dataHeaders } from '../site/security-headers.ts'
import type { DeskGate } from './desk-gate.ts'
import { checkBodies } from './http/body-schema.ts'
import { type BuiltLanguages, readLanguages } from './http/built-languages.ts'
import {
  type ConnectionLimits,
  connectionLimits,
  hangUpAfterAnswers,
  limitConnections,
} from './http/connection-limits.ts'
import { guardHook } from './http/guard-hook.ts'
import { RequestLog } from './http/log.ts'
import { Refusal, sendJsonRefusal } from './http/refusal.ts'
import { withHeaders } from './http/with-headers.ts'
import { httpServer } from './http-server.ts'
import type { Metrics } from './metrics.ts'
import { notFoundPage } from './routes/not-found.ts'
import { siteAnswerer } from './routes/site.ts'
import { beforeFastify } from './routes/subscribers.ts'
import { workersAnswerer } from './routes/workers.ts'
import { addRoutes, type Parts, partsOf, type RoutesOptions } from './routes.ts'
import { serverParts } from './server-parts.ts'
import { type ShownSite, shownSite } from './shown-site.ts'

export interface AppOptions extends Omit<RoutesOptions, 'ofFeatures' | 'bodyBytes' | 'closing'> {
  readonly appId: string
  /** Opens the page; without it, the page always says Coming Soon. */
  readonly opening?: Pick<OpeningWatch, 'url' | 'onTurn'> | undefined
  /** Guards the operator's page; without it there is none. */
  readonly desk?: DeskGate | undefined
  /** Counts answers; without it, nothing is measured. */
  readonly metrics?: Pick<Metrics, 'answered'> | undefined
  readonly limits?: ConnectionLimits
}

/** The whole server, ready to listen or for injected requests. The caller closes the store. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const languages = readLanguages(options.root)
  const ofFeatures = await serverParts(options, languages)
  const files = ofFeatures.flatMap(({ part }) => part.files ?? [])
  const shown = shownSite(options.root, options.appId, languages, files)
  await turnWith(shown, options)
  const { limits = connectionLimits } = options
  const closing = new AbortController()
  const bounds = { bodyBytes: limits.bodyBytes, closing: closing.signal }
  const parts = partsOf({ ...options, ...bounds, ofFeatures }, languages)
  const app = emptyApp(options, shown, languages, parts)
  app.addHook('preClose', async () => closing.abort())
  hangUpAfterAnswers(app, limits, closing.signal)
  addGuards(app, options, parts)
  await addRoutes(app, parts, shown.openUrl, languages)
  await app.ready()
  return app
}

/** Shows the right page now, and switches when the opening changes. */
async function turnWith(shown: ShownSite, { opening, log }: AppOptions): Promise<void> {
  const turned = (cause: unknown) => log.error({ err: cause }, 'The page cannot be turned.')
  opening?.onTurn((url) => void shown.turn(url).catch(turned))
  await shown.turn(opening?.url()).catch(turned)
}

/** Fastify on our HTTP server, which itself answers the site's files. */
function emptyApp(
  options: AppOptions,
  shown: ShownSite,
  languages: BuiltLanguages,
  { answerSignUp }: Pick<Parts, 'answerSignUp'>,
): FastifyInstance {
  const { settings, log, visits, desk, metrics, limits = connectionLimits } = options
  const onVisit = ({ headers, url }: IncomingMessage, isReturn: boolean) =>
    visits?.count(headers, url, isReturn)
  const answerWorker = workersAnswerer(log)
  const answerFile = siteAnswerer({
    shown,
    log,
    bodyBytes: limits.bodyBytes,
    ...(settings.visits === 'page' && { onVisit }),
    ...(metrics && { onAnswer: metrics.answered }),
  })
  const answerAddress = beforeFastify(answerSignUp, log, metrics?.answered)
  const answerers = [answerWorker, answerFile, answerAddress]
  const notFound = notFoundPage(shown.files, languages)
  const app = Fastify({
    ...limitConnections(limits),
    schemaController: ownCompilers,
    // A long path that no route has is answered like any other: by default it is a bad request.
    routerOptions: { maxParamLength: 100_000 },
    serverFactory: (framework) => httpServer(limits, answerers, framework, desk),
    loggerInstance: log,
    logController: new RequestLog(),
    childLoggerFactory: (logger) => logger,
    // Requests on open connections are still answered while the server closes.
    return503OnClosing: false,
    // No hook runs for a request whose URL cannot be parsed.
    frameworkErrors: (error, request, reply) => {
      notFound.send(error, request, reply.headers(dataHeaders))
      metrics?.answered(reply.statusCode)
    },
  })
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler(sendJsonRefusal)
  app.setNotFoundHandler((request, reply) =>
    notFound.send(new Refusal('not-found'), request, reply),
  )
  return app
}

/** Adds the hooks before and after every route. */
function addGuards(
  app: FastifyInstance,
  options: AppOptions,
  { watchProxies }: Pick<Parts, 'watchProxies'>,
): void {
  const { desk, metrics } = options
  checkBodies(app)
  if (metrics) countAnswers(app, metrics)
  if (desk) app.addHook('preClose', () => desk.close())
  app.addHook('onRequest', withHeaders(dataHeaders))
  app.addHook('onRequest', guardHook(watchProxies))
}

function countAnswers(app: FastifyInstance, { answered }: Pick<Metrics, 'answered'>) {
  app.addHook('onResponse', (_request, reply, done) => {
    answered(reply.statusCode)
    done()
  })
}
