import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http2'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { features } from '../../features/all.ts'
import { deskCsrf, deskEventsKey, deskName } from '../../keys/desk-tokens.ts'
import { toolName } from '../../product/command-line.ts'
import german from '../../shared/german.json' with { type: 'json' }
import { ownCompilers } from '../../shared/own-compilers.ts'
import { isSameOrigin } from '../../shared/same-origin.ts'
import { say, speak, spokenLanguage } from '../../shared/say.ts'
import { ownZone } from '../../shared/time-zone.ts'
import { deskAnswerHeaders, deskPolicy } from '../../site/desk-headers.ts'
import { isDiskTrouble } from '../../store/output-file.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { RENEW_AFTER_MS, renewSession, SESSION_MS } from '../access/sessions.ts'
import { deskCookie } from '../contract/cookies.ts'
import { deskLanguageOf } from '../contract/language.ts'
import { deskLookOf } from '../contract/look.ts'
import { type DeskFiles, type DeskPage, deskPaths, type RenderDesk } from '../contract/pages.ts'
import { type PlaceName, places } from '../contract/places.ts'
import { deskHeaders } from '../contract/visitor.ts'
import { access } from './access-page.ts'
import { fieldsOf } from './fields.ts'
import { fileRoutes } from './files.ts'
import { letters } from './letters.ts'
import { linkSignIn } from './link-sign-in.ts'
import { liveEvents } from './live-events.ts'
import { opening } from './opening.ts'
import { type DeskParts, DeskProblem } from './parts.ts'
import { people } from './people.ts'
import { peopleExport } from './people-export.ts'
import { person } from './person.ts'
import { featurePage } from './report-page.ts'
import { today } from './today.ts'

type Routes = (desk: FastifyInstance, parts: DeskParts) => void

/** What answers at each place, behind a session. */
const routes: Readonly<Record<PlaceName, readonly Routes[]>> = {
  today: [today],
  people: [people, person, peopleExport],
  letters: [letters],
  opening: [opening],
  access: [access],
}

const BODY_BYTES = 1024 * 1024
/**
 * The server resets a request whose browser has left. By default Node ends a connection after 1,000
 * resets and 33 a second, but this one carries all users of the desk.
 */
const ONE_CLIENT = {
  streamResetBurst: 1e9,
  streamResetRate: 1e9,
  maxSessionRejectedStreams: 2 ** 31,
}

export interface DeskOptions extends Omit<DeskParts, 'show' | 'cookie' | 'live'> {
  readonly render: RenderDesk
  readonly files: DeskFiles
  /** The folder `dist/desk`. */
  readonly folder: string
}

/**
 * The desk, ready for requests from the server, which has checked who asks. It speaks HTTP/2, since
 * the two share one connection that no other process can reach.
 */
export async function createDesk(options: DeskOptions): Promise<FastifyInstance> {
  const { linkKey, publicUrl, product, files, log, store } = options
  const language = deskLanguageOf(product)
  speak(language, language === 'de' ? german : {})
  const own = deskName(linkKey, product.appId)
  const cookie = deskCookie(publicUrl?.startsWith('https:') ?? false, own)
  const live = liveEvents({ store: store.growth, log, build: files.script })
  const parts: DeskParts = { ...options, cookie, show: showing(options), live }
  const desk = await emptyDesk(parts)
  addGuards(desk, parts)
  linkSignIn(desk, parts)
  await desk.register(async (inside) => {
    inside.addHook('onRequest', async (request) => {
      if (request.desk.by !== 'session') throw nothingHere()
    })
    fileRoutes(inside, options.folder)
    for (const add of Object.values(routes).flat()) add(inside, parts)
    for (const feature of features) featurePage(inside, parts, feature)
    live.route(inside)
  })
  await desk.ready()
  return desk
}

const nothingHere = () =>
  new DeskProblem(404, say('Nothing is here'), say('The desk has no such page.'))

/** Answers with a page in its frame. */
function showing({ linkKey, product, settings, render, files }: DeskOptions): DeskParts['show'] {
  const csrfOf = deskCsrf(linkKey)
  const keyOf = deskEventsKey(linkKey)
  const shown = { name: product.name, look: deskLookOf(product) }
  const shownPlaces = [
    ...Object.values(places),
    ...features.flatMap(({ rules, place }) =>
      place && settings.features[rules.name] ? place : [],
    ),
  ]
  return (request, reply, page, status = 200) => {
    const nonce = randomBytes(16).toString('base64')
    const session = request.desk?.by === 'session' ? request.desk.id : undefined
    const shell = {
      product: shown,
      places: shownPlaces,
      tool: toolName(),
      language: spokenLanguage(),
      path: request.url.split('?')[0] ?? '',
      csrf: session === undefined ? '' : csrfOf(session),
      events: session === undefined ? '' : `${deskPaths.events}?key=${keyOf(session)}`,
      now: Date.now(),
      zone: ownZone(),
    }
    return reply
      .code(status)
      .header('content-security-policy', deskPolicy([`'nonce-${nonce}'`]))
      .type('text/html; charset=utf-8')
      .send(render({ shell, page }, files, nonce))
  }
}

/** Without routes; what fails is answered with a page. */
async function emptyDesk({ log, show }: DeskParts): Promise<FastifyInstance> {
  const desk = Fastify({
    // Typed as HTTP/1.1, since only what both have in common is used.
    serverFactory: (handler) => createServer(ONE_CLIENT, handler as never) as never,
    bodyLimit: BODY_BYTES,
    schemaController: ownCompilers,
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
  })
  // The desk's pages send only forms, so each field is a text.
  desk.removeContentTypeParser(['text/plain', 'application/json'])
  await desk.register(formbody)
  desk.decorateRequest('desk')
  desk.setErrorHandler((error, request, reply) => {
    const { status, title, message: text } = problemOf(error, request)
    const page: DeskPage =
      request.desk?.by === 'session'
        ? { page: 'problem', title, text }
        : { page: 'door', state: 'refused' }
    return show(request, reply, page, status)
  })
  desk.setNotFoundHandler(() => {
    throw nothingHere()
  })
  return desk
}

/** Knows who asks, refuses what their own page did not send, and renews their session. */
function addGuards(desk: FastifyInstance, { linkKey, publicUrl, store, cookie }: DeskParts): void {
  const csrfOf = deskCsrf(linkKey)
  desk.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...deskAnswerHeaders, 'content-security-policy': deskPolicy([]) })
    const { [deskHeaders.by]: by, [deskHeaders.id]: id, [deskHeaders.usedAt]: at } = request.headers
    if ((by !== 'session' && by !== 'link') || typeof id !== 'string')
      throw new Error('the server named nobody')
    request.desk = { by, id, usedAt: Number(at ?? 0) }
  })

  // After the body is read, which has the token.
  desk.addHook('preHandler', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const { origin, 'sec-fetch-site': site } = request.headers
    const fetchSite = site === undefined ? undefined : String(site)
    const isOurs = isSameOrigin(publicUrl, { origin, fetchSite, host: request.host })
    if (!isOurs)
      throw new DeskProblem(403, say('Not from here'), say('That was sent by another site.'))
    if (request.desk.by !== 'session') return
    if (!isToken(csrfOf(request.desk.id), tokenOf(request)))
      throw new DeskProblem(
        403,
        say('This page is too old'),
        say('Load it again, and try once more.'),
      )
  })

  desk.addHook('preHandler', async ({ desk: { by, id, usedAt }, headers }, reply) => {
    if (by !== 'session' || Date.now() - usedAt < RENEW_AFTER_MS) return
    const token = cookie.read(headers.cookie)
    // A store that cannot be written must not keep the operator from reading.
    const renewed = await renewSession(store.desk, id).then(
      () => true,
      () => false,
    )
    if (renewed && token) reply.header('set-cookie', cookie.write(token, SESSION_MS / 1000))
  })
}

function tokenOf(request: FastifyRequest): string {
  return fieldsOf(request.body)('csrf') || String(request.headers['x-csrf'] ?? '')
}

function isToken(expected: string, given: string): boolean {
  // In bytes, since a text of as many characters may be longer.
  const [right, asked] = [Buffer.from(expected), Buffer.from(given)]
  return asked.length === right.length && timingSafeEqual(asked, right)
}

/** The status of the answer to a failed request, and what its page says. */
function problemOf(error: unknown, { log, routeOptions }: FastifyRequest): DeskProblem {
  if (error instanceof DeskProblem) return error
  if (error instanceof StoreUnavailable)
    return new DeskProblem(
      503,
      say('The database cannot be reached'),
      say('Nothing can be read or written now. Try again.'),
    )
  if (isDiskTrouble(error)) {
    log.error({ err: error }, 'the desk cannot write')
    const text = say('The disk may be full. Check whether it was done before you try again.')
    return new DeskProblem(503, say('Nothing can be written now'), text)
  }
  const status = (error as { statusCode?: number }).statusCode ?? 500
  if (status >= 400 && status < 500)
    return new DeskProblem(
      status,
      say('That could not be read'),
      say('The desk did not understand what was sent.'),
    )
  log.error({ err: error, route: routeOptions.url }, 'the desk failed')
  return new DeskProblem(
    500,
    say('Something went wrong'),
    say('The log of the server has the reason.'),
  )
}
