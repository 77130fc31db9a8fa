import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { VisitCounter } from '../audience/visit-counter.ts'
import type { ServerSettings } from '../config/programs.ts'
import { networkIds } from '../keys/network-id.ts'
import type { Requests, Standings, Store, SubscriberList } from '../store/store.ts'
import { type BuiltLanguage, type BuiltLanguages, languagePaths } from './http/built-languages.ts'
import { guardHook } from './http/guard-hook.ts'
import { behindProxies, proxiesOf, warnOfWrongProxies } from './http/proxies.ts'
import { visitorLimits } from './http/rate-limits.ts'
import { sameOriginOnly } from './http/same-origin.ts'
import { sessionCookie } from './http/session-cookie.ts'
import { sourceOf } from './http/source-of.ts'
import { withHeaders } from './http/with-headers.ts'
import { judgeSignUps } from './judge-sign-ups.ts'
import { confirmRoutes } from './routes/confirm.ts'
import { healthRoutes } from './routes/health.ts'
import { createSessions, sessionRoutes } from './routes/session.ts'
import { subscribeForm } from './routes/subscribe-form.ts'
import { signUpAnswerer, subscriberRoutes } from './routes/subscribers.ts'
import { unsubscribeRoutes } from './routes/unsubscribe.ts'
import { type OfFeature, type ServerPartsOptions, saidBy, slotOf } from './server-parts.ts'

export interface RoutesOptions extends ServerPartsOptions {
  readonly store: Pick<Store, 'checkWritable'> &
    Partial<Pick<Store, 'inbox'>> & { readonly list: Pick<SubscriberList, 'add'> }
  readonly suppressions: Pick<Standings, 'unsubscribe'>
  /** Set if visitors have to confirm: nobody is on the list before they confirm. */
  readonly requests?: Pick<Requests, 'requestConfirmation' | 'changePending' | 'lookAt'> | undefined
  /** Takes the answers to letters, also after confirmation was turned off. */
  readonly answers?: Pick<Requests, 'changePending' | 'lookAt'> | undefined
  /** Whether the receipt of a consent has client addresses. */
  readonly isIpKept?: boolean
  readonly ofFeatures: readonly OfFeature[]
  /** The limit of a body. */
  readonly bodyBytes: number
  /** Aborted once the server closes. */
  readonly closing: AbortSignal
  readonly settings: Pick<
    ServerSettings,
    'publicUrl' | 'rateLimit' | 'rateLimitDay' | 'trustProxy' | 'visits'
  >
  /** Counts visits; without it, neither visits nor the sources of sign-ups are kept. */
  readonly visits?: Pick<VisitCounter, 'count'> | undefined
  readonly log: FastifyBaseLogger
}

/** A plugin of Fastify. It takes of the parts what it uses, and adds nothing where its own are missing. */
type Routes<Parts> = (app: FastifyInstance, parts: Parts) => Promise<void>

export type Parts = ReturnType<typeof partsOf>
type LanguageParts = Parts & {
  readonly openUrl: () => string | undefined
  readonly language: BuiltLanguage
}

const siteRoutes: readonly Routes<Parts>[] = [
  sessionRoutes,
  subscriberRoutes,
  healthRoutes,
  async (app, { ofFeatures }) => {
    for (const { part } of ofFeatures) if (part.routes) await app.register(part.routes)
  },
]

/** What features add to each language of the page. */
const routesOf =
  (name: 'formRoutes' | 'linkRoutes'): Routes<LanguageParts> =>
  async (app, { ofFeatures, ...parts }) => {
    for (const { part } of ofFeatures) {
      const routes = part[name]
      if (routes) await app.register(routes, parts)
    }
  }

/** In each language of the page. */
const formRoutes = [subscribeForm, routesOf('formRoutes')]

const letterRoutes = [unsubscribeRoutes, routesOf('linkRoutes'), confirmRoutes]

const ANY_LANGUAGE = '/:language(^[A-Za-z0-9-]{2,35}$)'

/**
 * Adds all routes that the framework has; others have the files of the site, and the desk.
 *
 * @param openUrl where the open page's button leads, while it is open.
 */
export async function addRoutes(
  app: FastifyInstance,
  own: Parts,
  openUrl: () => string | undefined,
  languages: BuiltLanguages,
): Promise<void> {
  const parts = { ...own, openUrl }
  for (const routes of siteRoutes) await app.register(routes, parts)
  const addPages =
    (language: BuiltLanguage, list: readonly Routes<LanguageParts>[]) =>
    async (pages: FastifyInstance) => {
      pages.addHook('onRequest', withHeaders(language.headers.plain))
      for (const routes of list) await pages.register(routes, { ...parts, language })
    }
  for (const [prefix, language] of languagePaths(languages))
    await app.register(addPages(language, [...formRoutes, ...letterRoutes]), { prefix })
  // A letter outlasts a language that is offered no more: its links lead to the first one then.
  await app.register(addPages(languages[0], letterRoutes), { prefix: ANY_LANGUAGE })
}

/** What routes are made of. */
export function partsOf(options: RoutesOptions, languages: BuiltLanguages) {
  const { store, requests, answers = requests, settings, root, log, visits, linkKey } = options
  const isProxy = proxiesOf(settings.trustProxy)
  const { clientAddress, hostOf } = behindProxies(isProxy)
  const limits = visitorLimits(settings, clientAddress)
  const isSecure = settings.publicUrl?.startsWith('https:') ?? false
  const sessions = createSessions(sessionCookie(options.linkKey, isSecure))
  const keptAddress = options.isIpKept ? clientAddress : () => undefined
  const from: typeof sourceOf = (...given) => (visits ? sourceOf(...given) : undefined)
  const { ofFeatures } = options
  const asks = ofFeatures.map(({ part }) => part.asks).find((one) => one)
  const signUp = judgeSignUps({
    list: store.list,
    requests,
    asks,
    sessions,
    root,
    clientAddress,
    keptAddress,
    from,
    saidBy: saidBy(ofFeatures),
    networkId: networkIds(linkKey),
    isBeyondDay: limits.isBeyondDay,
    languages: languages.length > 1 ? languages.map(({ code }) => code) : [],
  })
  const watchProxies = warnOfWrongProxies(log, isProxy)
  const sameOrigin = sameOriginOnly(settings.publicUrl, hostOf, log)
  const guards = { watchProxies, sameOrigin, sessions, perMinute: limits.perMinute }
  // The page's own URL, as the browser has it.
  const countVisit = ({ headers }: FastifyRequest) => visits?.count(headers, headers.referer, false)
  return {
    ...options,
    ...limits,
    answers,
    asks,
    sessions,
    watchProxies,
    sameOrigin: guardHook(sameOrigin),
    keptAddress,
    signUp,
    answerSignUp: signUpAnswerer({ ...options, ...guards, signUp }),
    slotOf: slotOf(ofFeatures),
    onVisit: settings.visits === 'script' ? countVisit : undefined,
  }
}
