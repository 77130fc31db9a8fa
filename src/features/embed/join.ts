import type { FastifyInstance, FastifyRequest, preHandlerHookHandler } from 'fastify'
import {
  answerForms,
  type FormParts,
  isForScript,
  thanksPath,
} from '../../server/http/answer-forms.ts'
import { readOutcomePages } from '../../server/http/outcome-pages.ts'
import { emailIn, type SignUpRoute, signUpBody } from '../../server/http/sign-up.ts'
import { sourceOf } from '../../server/http/source-of.ts'
import { queryOf } from '../../shared/source.ts'
import { parseBack } from './origins.ts'
import { joinPaths } from './paths.ts'

/**
 * `POST /join`, a form on another site. Only the sites that the operator named may post, and nobody is
 * signed in: a cookie of ours is not sent from there. A browser gets a page; our script there gets JSON.
 *
 * @param origins of these sites.
 */
export async function joinForm(
  app: FastifyInstance,
  { signUp, root, language, openUrl, sameOrigin, formsPerMinute }: FormParts,
  origins: readonly string[],
) {
  // On which the form posts here again.
  const pages = readOutcomePages(root, language.path, openUrl, joinPaths.join)
  const siteOf = ({ headers }: FastifyRequest) => origins.find((one) => one === headers.origin)
  const nextQuery = (request: FastifyRequest) => queryOf(sourceOf(request, siteOf(request)) ?? {})

  await answerForms(app, pages, { posted: joinPaths.join, thanked: joinPaths.joined, nextQuery })

  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'POST') return
    // The answer is for this site alone, in every cache.
    reply.header('vary', 'Origin')
    const site = siteOf(request)
    if (site !== undefined) reply.header('access-control-allow-origin', site)
  })

  const fromThere: preHandlerHookHandler = function (request, reply, done) {
    if (siteOf(request) !== undefined) return done()
    const isUnnamed = request.headers.origin === 'null' && !isForScript(request)
    if (!isUnnamed) return sameOrigin.call(this, request, reply, done)
    // A sandboxed frame, or a site that sends no referrer: one press on our own page tells.
    pages.send(reply, undefined, request.body, nextQuery(request))
  }

  app.post<SignUpRoute>(
    joinPaths.join,
    {
      onRequest: formsPerMinute.onRequest,
      preHandler: [formsPerMinute.preHandler, fromThere],
      schema: { body: signUpBody(true) },
    },
    async (request, reply) => {
      const email = emailIn(request)
      const origin = siteOf(request)
      const elsewhere = origin === undefined ? undefined : { origin, language: language.code }
      const { raw, body } = request
      const answer = await signUp(email, { request: raw, response: reply.raw, body, elsewhere })
      reply.header('cache-control', 'no-store')
      const thanks = app.prefix + thanksPath(answer, joinPaths.joined)
      // The script says the thanks in place, and leads to the question of the page, where there is one.
      if (isForScript(request))
        return reply.code(201).send(answer === undefined ? {} : { answer: thanks })
      const back = parseBack(request.body.back ?? '', origins)
      return reply.redirect(back ?? thanks, 303)
    },
  )
}
