import type { IncomingMessage } from 'node:http'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type onRequestHookHandler,
} from 'fastify'
import type { VisitCounter } from '../audience/visit-counter.ts'
import type { ServerSettings } from '../config/programs.ts'
import { friendCodes } from '../keys/friend-codes.ts'
import { networkIds } from '../keys/network-id.ts'
import {
  questionTokens,
  stillInterestedTokens,
  unsubscribeTokens,
} from '../keys/unsubscribe-token.ts'
import type { OpeningWatch } from '../opening/watch-opening.ts'
import { joinPaths, paths, stillInterestedPath } from '../shared/api.ts'
import { dataHeaders } from '../site/security-headers.ts'
import type { Requests, Standings, Store, SubscriberList } from '../store/store.ts'
import type { DeskGate } from './desk-gate.ts'
import { checkBodies } from './http/body-schema.ts'
import {
  type BuiltLanguage,
  type BuiltLanguages,
  languagePaths,
  readLanguages,
} from './http/built-languages.ts'
import {
  type ConnectionLimits,
  connectionLimits,
  hangUpOnEndlessBodies,
  hangUpWhenClosing,
  limitConnections,
} from './http/connection-limits.ts'
import { friendCodeOf } from './http/friend-code.ts'
import { RequestLog } from './http/log.ts'
import { readOutcomePages } from './http/outcome-pages.ts'
import { proxiesOf, warnOfWrongProxies } from './http/proxies.ts'
import { clientAddress, visitorLimits } from './http/rate-limits.ts'
import { Refusal, sendJsonRefusal } from './http/refusal.ts'
import { sameOriginOnly } from './http/same-origin.ts'
import { sessionCookie } from './http/session-cookie.ts'
import { sourceOf } from './http/source-of.ts'
import { httpServer } from './http-server.ts'
import { keepSignUps } from './keep-sign-ups.ts'
import type { Metrics } from './metrics.ts'
import { type AccountsOptions, accountRoutes } from './routes/accounts.ts'
import { type Asking, answerRoutes } from './routes/answer.ts'
import { confirmRoutes } from './routes/confirm.ts'
import { healthRoutes } from './routes/health.ts'
import { joinForm } from './routes/join.ts'
import { notFoundPage } from './routes/not-found.ts'
import { oneButtonRoutes } from './routes/one-button.ts'
import { createSessions, sessionRoutes } from './routes/session.ts'
import { siteAnswerer } from './routes/site.ts'
import { subscribeForm } from './routes/subscribe-form.ts'
import { subscriberRoutes } from './routes/subscribers.ts'
import { workersAnswerer } from './routes/workers.ts'
import { type ShownSite, shownSite } from './shown-site.ts'

export interface AppOptions {
  readonly store: Pick<Store, 'checkWritable'> &
    Partial<Pick<Store, 'inbox'>> & { readonly list: Pick<SubscriberList, 'add'> }
  readonly suppressions: Pick<Standings, 'unsubscribe' | 'stayInterested'>
  /** Set if visitors have to confirm: nobody is on the list before they confirm. */
  readonly requests?: Pick<Requests, 'requestConfirmation' | 'changePending' | 'lookAt'> | undefined
  /** Takes the answers to letters, also after confirmation was turned off. */
  readonly answers?: Pick<Requests, 'changePending' | 'lookAt'> | undefined
  /** Whether the receipt of a consent has client addresses. */
  readonly isIpKept?: boolean
  /** Whether who confirmed gets a personal link, and it is kept whom they bring. */
  readonly hasReferrals?: boolean
  /** The question of the page, if it was built with one. */
  readonly asking?: Asking | undefined
  readonly settings: Pick<
    ServerSettings,
    'publicUrl' | 'embedOrigins' | 'trustProxy' | 'rateLimit' | 'rateLimitDay' | 'visits'
  >
  readonly appId: string
  /** Signs session cookies. */
  readonly sessionKey: string
  /** Signs unsubscribe links. */
  readonly linkKey: Buffer
  /** The folder that the build's folder is in. */
  readonly root: string
  /** Takes accounts of the product from its server; without it there is no such path. */
  readonly accounts?: AccountsOptions | undefined
  /** Opens the page; without it, the page always says Coming Soon. */
  readonly opening?: Pick<OpeningWatch, 'url' | 'onTurn'> | undefined
  /** Counts visits; without it, neither visits nor the sources of sign-ups are kept. */
  readonly visits?: Pick<VisitCounter, 'count'> | undefined
  /** Guards the operator's page; without it there is none. */
  readonly desk?: DeskGate | undefined
  /** Counts answers; without it, nothing is measured. */
  readonly metrics?: Pick<Metrics, 'answered'> | undefined
  readonly log: FastifyBaseLogger
  readonly limits?: ConnectionLimits
}

/** The whole server, ready to listen or for injected requests. The caller closes the store. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const languages = readLanguages(options.root)
  const isEmbedded = options.settings.embedOrigins.length > 0
  const shown = shownSite(options.root, options.appId, languages, isEmbedded)
  await turnWith(shown, options)
  const app = emptyApp(options, shown, languages)
  addGuards(app, options)
  await addRoutes(app, options, shown, languages)
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
  const notFound = notFoundPage(shown.files, languages)
  const app = Fastify({
    ...limitConnections(limits),
    // A long path that no route has is answered like any other: by default it is a bad request.
    routerOptions: { maxParamLength: 100_000 },
    serverFactory: (framework) => httpServer(limits, [answerWorker, answerFile], framework, desk),
    trustProxy: settings.trustProxy.length > 0 && proxiesOf(settings.trustProxy),
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
function addGuards(app: FastifyInstance, options: AppOptions): void {
  const { settings, desk, metrics, limits = connectionLimits } = options
  checkBodies(app)
  if (metrics) countAnswers(app, metrics)
  hangUpWhenClosing(app)
  if (desk) app.addHook('preClose', () => desk.close())
  hangUpOnEndlessBodies(app, limits)
  app.addHook('onRequest', withHeaders(dataHeaders))
  warnOfWrongProxies(app, proxiesOf(settings.trustProxy))
}

async function addRoutes(
  app: FastifyInstance,
  options: AppOptions,
  shown: ShownSite,
  languages: BuiltLanguages,
): Promise<void> {
  const { store, suppressions, requests, answers = requests, settings, root, log, visits } = options
  const { linkKey, asking } = options
  const origins = settings.embedOrigins
  const { perMinute, formsPerMinute, isBeyondDay } = await visitorLimits(app, settings)
  const isSecure = settings.publicUrl?.startsWith('https:') ?? false
  const sessions = createSessions(app, sessionCookie(options.sessionKey, isSecure))
  const sameOrigin = sameOriginOnly(settings.publicUrl, log)
  const keptAddress = options.isIpKept ? clientAddress : () => undefined
  const from: typeof sourceOf = (...given) => (visits ? sourceOf(...given) : undefined)
  const codes = options.hasReferrals ? friendCodes(linkKey) : undefined
  const signUp = keepSignUps({
    list: store.list,
    requests,
    tokens: asking?.tokens,
    sessions,
    root,
    keptAddress,
    from,
    broughtBy: (request) => codes?.read(friendCodeOf(request) ?? ''),
    networkId: networkIds(linkKey),
    isBeyondDay,
    languages: languages.length > 1 ? languages.map(({ code }) => code) : [],
  })
  sessionRoutes(app, {
    sessions,
    sameOrigin,
    // The page's own URL, as the browser has it.
    ...(settings.visits === 'script' && {
      onVisit: ({ headers }) => visits?.count(headers, headers.referer, false),
    }),
  })
  subscriberRoutes(app, { signUp, checks: [sameOrigin, sessions.required, perMinute] })
  healthRoutes(app, { store })
  if (options.accounts) accountRoutes(app, options.accounts)
  const addPages = async (pages: FastifyInstance, language: BuiltLanguage) => {
    const { path, headers } = language
    pages.addHook('onRequest', withHeaders(headers.plain))
    await pages.register(subscribeForm, {
      signUp,
      sessions,
      pages: readOutcomePages(root, path, shown.openUrl),
      sameOrigin,
      perMinute: formsPerMinute,
    })
    if (origins.length > 0)
      await pages.register(joinForm, {
        signUp,
        pages: readOutcomePages(root, path, shown.openUrl, joinPaths.join),
        language: language.code,
        origins,
        sameOrigin,
        perMinute: formsPerMinute,
      })
    await pages.register(addLetterPages(language))
  }
  const addLetterPages = (language: BuiltLanguage) => async (pages: FastifyInstance) => {
    const { path } = language
    await pages.register(oneButtonRoutes, {
      page: 'unsubscribe',
      at: paths.unsubscribe,
      tokens: unsubscribeTokens(linkKey),
      press: suppressions.unsubscribe,
      root,
      path,
    })
    await pages.register(oneButtonRoutes, {
      page: 'still-interested',
      at: stillInterestedPath,
      tokens: stillInterestedTokens(linkKey),
      press: suppressions.stayInterested,
      root,
      path,
    })
    if (asking)
      await pages.register(answerRoutes, {
        ...{ ...asking, letterTokens: questionTokens(linkKey), root, language },
        perMinute: formsPerMinute,
      })
    if (answers)
      await pages.register(confirmRoutes, {
        ...{ requests: answers, linkKey, root, language, keptAddress, asking },
        friendCode: codes?.of,
      })
  }
  for (const [prefix, language] of languagePaths(languages))
    await app.register((pages) => addPages(pages, language), { prefix })
  // A letter outlasts a language that is offered no more: its links lead to the first one then.
  await app.register(
    async (pages) => {
      pages.addHook('onRequest', withHeaders(languages[0].headers.plain))
      await pages.register(addLetterPages(languages[0]))
    },
    { prefix: ANY_LANGUAGE },
  )
}

const ANY_LANGUAGE = '/:language(^[A-Za-z0-9-]{2,35}$)'

function countAnswers(app: FastifyInstance, { answered }: Pick<Metrics, 'answered'>) {
  app.addHook('onResponse', (_request, reply, done) => {
    answered(reply.statusCode)
    done()
  })
}

function withHeaders(headers: Readonly<Record<string, string>>): onRequestHookHandler {
  return (_request, reply, done) => {
    reply.headers(headers)
    done()
  }
}
