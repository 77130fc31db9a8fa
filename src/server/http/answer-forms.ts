import type { FastifyInstance, FastifyRequest, preHandlerHookHandler } from 'fastify'
import { replyPath } from '../../shared/api.ts'
import type { BuiltLanguage } from './built-languages.ts'
import { readForms } from './form-fields.ts'
import type { OutcomePages } from './outcome-pages.ts'
import type { FormLimit } from './rate-limits.ts'
import { sendJsonRefusal, toRefusal } from './refusal.ts'
import type { SignUp } from './sign-up.ts'

/** What the routes of a form are made with, in a language of the page. */
export interface FormParts {
  readonly signUp: SignUp
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
  return answer === undefined ? usual : `${replyPath}/${answer}`
}

/** No browser asks for JSON when it posts a form. */
export function isForScript({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('application/json') ?? false
}
