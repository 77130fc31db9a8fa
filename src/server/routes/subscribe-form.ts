import type { FastifyInstance, FastifyRequest, preHandlerHookHandler } from 'fastify'
import { answerPath, paths, type SubscribedBody } from '../../shared/api.ts'
import type { BuiltLanguage } from '../http/built-languages.ts'
import { readForms } from '../http/form-fields.ts'
import { type OutcomePages, readOutcomePages } from '../http/outcome-pages.ts'
import { nextQueryOf } from '../http/parameters.ts'
import type { FormLimit } from '../http/rate-limits.ts'
import { sendJsonRefusal, toRefusal } from '../http/refusal.ts'
import type { Sessions } from './session.ts'
import { emailIn, type SignUp, type SignUpRoute, signUpBody } from './subscribers.ts'

export interface SubscribeFormOptions {
  readonly signUp: SignUp
  readonly sessions: Sessions
  /** The folder that the build's folder is in. */
  readonly root: string
  readonly language: BuiltLanguage
  /** Where the open page's button leads, while it is open. */
  readonly openUrl: () => string | undefined
  /** Runs after the form is read, so that a refusal can show the address in the input again. */
  readonly sameOrigin: preHandlerHookHandler
  readonly formsPerMinute: FormLimit
}

/**
 * `POST /subscribe`, the form without script. Each answer is the page again, with no address in its
 * URL; for our script, which comes here where it has no session, it is JSON.
 */
export async function subscribeForm(
  app: FastifyInstance,
  { signUp, sessions, root, language, openUrl, sameOrigin, formsPerMinute }: SubscribeFormOptions,
) {
  const pages = readOutcomePages(root, language.path, openUrl)
  await answerForms(app, pages, {
    posted: paths.subscribe,
    thanked: paths.subscribed,
    nextQuery: nextQueryOf,
  })

  app.post<SignUpRoute>(
    paths.subscribe,
    {
      onRequest: formsPerMinute.onRequest,
      preHandler: [formsPerMinute.preHandler, sameOrigin],
      schema: { body: signUpBody(true) },
    },
    async (request, reply) => {
      const email = emailIn(request)
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
}

/**
 * Has the routes of a scope read forms, and answers with the page whatever is not a sign-up.
 *
 * @param posted where they post. @param thanked the page after that. @param nextQuery what a page that is
 *   posted again sends along.
 */
export async function answerForms(
  app: FastifyInstance,
  pages: OutcomePages,
  {
    posted,
    thanked,
    nextQuery,
  }: {
    readonly posted: string
    readonly thanked: string
    readonly nextQuery: (request: FastifyRequest) => string
  },
) {
  await readForms(app)

  app.setErrorHandler((error, request, reply) => {
    if (isForScript(request)) return sendJsonRefusal(error, request, reply)
    const { code, status } = toRefusal(error, request)
    const isNamed = code === 'invalid-email' || code === 'database-unavailable'
    return pages.send(
      reply.code(status),
      isNamed ? code : 'failed',
      request.body,
      nextQuery(request),
    )
  })

  app.get(thanked, (_request, reply) => pages.send(reply, 'subscribed'))
  // A visitor who reloads the URL of an answer with an error sends a GET here.
  app.get(posted, (_request, reply) => reply.redirect(`${app.prefix}/`, 303))
}

/** Where somebody is thanked. @param answer what lets them answer the page's question, if it asks one. */
export function thanksPath(answer: string | undefined, usual: string): string {
  return answer === undefined ? usual : `${answerPath}/${answer}`
}

/** No browser asks for JSON when it posts a form. */
export function isForScript({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('application/json') ?? false
}
