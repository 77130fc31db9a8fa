import type { FastifyInstance } from 'fastify'
import { paths, type SubscribedBody } from '../../shared/api.ts'
import { answerForms, type FormParts, isForScript, thanksPath } from '../http/answer-forms.ts'
import { readOutcomePages } from '../http/outcome-pages.ts'
import { nextQueryOf } from '../http/parameters.ts'
import { emailIn, type SignUpRoute, signUpBody } from '../http/sign-up.ts'
import type { Sessions } from './session.ts'

interface SubscribeFormOptions extends FormParts {
  readonly sessions: Sessions
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
      const { raw, body } = request
      const answer = await signUp(email, { request: raw, response: reply.raw, body })
      if (isForScript(request))
        return reply
          .code(201)
          .header('cache-control', 'no-store')
          .send({ ...(answer && { answer }) } satisfies SubscribedBody)
      return reply.redirect(app.prefix + thanksPath(answer, paths.subscribed), 303)
    },
  )
}
