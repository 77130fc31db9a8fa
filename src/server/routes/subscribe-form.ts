import type { FastifyInstance, FastifyRequest, preHandlerHookHandler } from 'fastify'
import { type ApiError, answerPath, paths, type SubscribedBody } from '../../shared/api.ts'
import { parseEmail } from '../../shared/email.ts'
import type { Outcome } from '../../shared/outcome.ts'
import type { BodySchema } from '../http/body-schema.ts'
import { readForms } from '../http/form-fields.ts'
import { nextQueryOf } from '../http/friend-code.ts'
import type { OutcomePages } from '../http/outcome-pages.ts'
import type { FormLimit } from '../http/rate-limits.ts'
import { Refusal, sendJsonRefusal, toRefusal } from '../http/refusal.ts'
import type { Sessions } from './session.ts'
import type { SignUp, SignUpRoute } from './subscribers.ts'

export interface SubscribeFormOptions {
  readonly signUp: SignUp
  readonly sessions: Sessions
  readonly pages: OutcomePages
  /** Runs after the form is read, so that a refusal can show the address in the input again. */
  readonly sameOrigin: preHandlerHookHandler
  readonly perMinute: FormLimit
}

const body: BodySchema = {
  type: 'object',
  properties: {
    email: { type: 'string' },
    comment: { type: 'string' },
    isLate: { type: 'string' },
    isOpen: { type: 'string' },
    language: { type: 'string' },
    openFor: { type: 'string' },
  },
}

/**
 * `POST /subscribe`, the form without script. Each answer is the page again, with no address in its
 * URL; for our script, which comes here where it has no session, it is JSON.
 */
export async function subscribeForm(
  app: FastifyInstance,
  { signUp, sessions, pages, sameOrigin, perMinute }: SubscribeFormOptions,
) {
  await readForms(app)

  app.setErrorHandler((error, request, reply) => {
    if (isForScript(request)) return sendJsonRefusal(error, request, reply)
    const { code, status } = toRefusal(error, request)
    return pages.send(
      reply.code(status),
      outcomeOf(code),
      emailIn(request.body),
      nextQueryOf(request),
    )
  })

  app.post<SignUpRoute>(
    paths.subscribe,
    {
      onRequest: perMinute.onRequest,
      preHandler: [perMinute.preHandler, sameOrigin],
      schema: { body },
    },
    async (request, reply) => {
      const email = parseEmail(emailIn(request.body))
      if (email === undefined) throw new Refusal('invalid-email')
      if (!sessions.uidOf(request)) sessions.signIn(reply)
      const answer = await signUp(email, request, reply)
      if (isForScript(request))
        return reply
          .code(201)
          .header('cache-control', 'no-store')
          .send({ ...(answer && { answer }) } satisfies SubscribedBody)
      return reply.redirect(app.prefix + thanksPath(answer, paths.subscribed), 303)
    },
  )

  app.get(paths.subscribed, (_request, reply) => pages.send(reply, 'subscribed', ''))
  // A visitor who reloads the URL of an answer with an error sends a GET here.
  app.get(paths.subscribe, (_request, reply) => reply.redirect(`${app.prefix}/`, 303))
}

/** Where somebody is thanked. @param answer what lets them answer the page's question, if it asks one. */
export function thanksPath(answer: string | undefined, usual: string): string {
  return answer === undefined ? usual : `${answerPath}/${answer}`
}

/** No browser asks for JSON when it posts a form. */
export function isForScript({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('application/json') ?? false
}

export function emailIn(body: unknown): string {
  const email = (body as { email?: unknown } | undefined)?.email
  return typeof email === 'string' ? email : ''
}

export function outcomeOf(code: ApiError): Outcome {
  return code === 'invalid-email' || code === 'database-unavailable' ? code : 'failed'
}
