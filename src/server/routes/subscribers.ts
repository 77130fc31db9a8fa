import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { paths, type SubscribedBody } from '../../shared/api.ts'
import { dataHeaders } from '../../site/security-headers.ts'
import { fitsSchema } from '../http/body-schema.ts'
import { readPast } from '../http/connection-limits.ts'
import { jsonBody } from '../http/json-body.ts'
import { logAnswer } from '../http/log.ts'
import type { VisitorLimits } from '../http/rate-limits.ts'
import { Refusal, toRefusal } from '../http/refusal.ts'
import { emailIn, type SignUp, type SignUpRoute, signUpBody } from '../http/sign-up.ts'
import type { Sessions } from './session.ts'
import type { Answerer } from './site.ts'

interface SubscribersOptions {
  readonly signUp: SignUp
  /** Warns of proxies that are not as they are set. */
  readonly watchProxies: (request: IncomingMessage) => void
  /** Throws a Refusal. */
  readonly sameOrigin: (request: IncomingMessage) => void
  readonly sessions: Pick<Sessions, 'required'>
  readonly perMinute: VisitorLimits['perMinute']
  /** The limit of a body. */
  readonly bodyBytes: number
  /** Aborted once the server closes. */
  readonly closing: AbortSignal
  readonly log: FastifyBaseLogger
}

/** Answers a sign-up. */
export type SignUpAnswerer = (request: IncomingMessage, response: ServerResponse) => void

/**
 * `POST /api/subscribers`. A known address gets the same answer as a new one. It needs nothing of
 * Fastify, whose hooks, parser and objects are a third of what a sign-up costs.
 */
export function signUpAnswerer(options: SubscribersOptions): SignUpAnswerer {
  const { signUp, watchProxies, sameOrigin, sessions, perMinute, bodyBytes, closing, log } = options
  const fits = fitsSchema({ ...signUpBody(false), required: ['email'] })
  const place = { log, routeOptions: { url: paths.subscribers } }

  async function answerTo(request: IncomingMessage, response: ServerResponse) {
    watchProxies(request)
    sameOrigin(request)
    const uid = sessions.required(request)
    perMinute(request, response)
    const body = await jsonBody(request, bodyBytes)
    if (!fits(body)) throw new Refusal('bad-request')
    const visit = { request, response, body: body as SignUpRoute['Body'], uid }
    return signUp(emailIn(visit), visit)
  }

  return (request, response) => {
    const send = (status: number, body: object, isLast = false) => {
      const text = JSON.stringify(body)
      const length = { 'content-length': Buffer.byteLength(text) }
      const more = (isLast || closing.aborted) && { connection: 'close' }
      response.writeHead(status, { ...headers, ...length, ...more }).end(text)
    }
    answerTo(request, response).then(
      (answer) => send(201, { ...(answer && { answer }) } satisfies SubscribedBody),
      (error: unknown) => {
        const { code, status } = toRefusal(error, place)
        if (!request.complete) readPast(request, bodyBytes)
        send(status, { error: code }, code === 'too-large')
      },
    )
  }
}

const headers = {
  ...dataHeaders,
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
}

/** Has sign-ups answered before Fastify. @param onAnswer is called for each, with its status. */
export function beforeFastify(
  answer: SignUpAnswerer,
  log: FastifyBaseLogger,
  onAnswer?: (status: number) => void,
): Answerer {
  return (request, response) => {
    const { method, url } = request
    if (method !== 'POST' || url !== paths.subscribers) return false
    logAnswer(log, { method, route: url }, response)
    if (onAnswer) response.on('finish', () => onAnswer(response.statusCode))
    answer(request, response)
    return true
  }
}

/** The same for a path that is written in another way, or has a query, which a router reads. */
export async function subscriberRoutes(
  app: FastifyInstance,
  { answerSignUp }: { readonly answerSignUp: SignUpAnswerer },
) {
  app.post(
    paths.subscribers,
    {
      onRequest({ raw }, reply) {
        reply.hijack()
        answerSignUp(raw, reply.raw)
      },
    },
    () => {},
  )
}
