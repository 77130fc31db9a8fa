import type { FastifyInstance, FastifyRequest, preHandlerHookHandler } from 'fastify'
import { joinPaths } from '../../shared/api.ts'
import { parseEmail } from '../../shared/email.ts'
import { parseBack } from '../../shared/embed-origins.ts'
import { queryOf } from '../../shared/source.ts'
import type { BodySchema } from '../http/body-schema.ts'
import { readForms } from '../http/form-fields.ts'
import type { OutcomePages } from '../http/outcome-pages.ts'
import type { FormLimit } from '../http/rate-limits.ts'
import { Refusal, sendJsonRefusal, toRefusal } from '../http/refusal.ts'
import { sourceOf } from '../http/source-of.ts'
import { emailIn, isForScript, outcomeOf, thanksPath } from './subscribe-form.ts'
import type { SignUp, SignUpRoute } from './subscribers.ts'

interface JoinOptions {
  readonly signUp: SignUp
  /** On which the form posts here again. */
  readonly pages: OutcomePages
  /** The language of the path. */
  readonly language: string
  /** The sites that may post. */
  readonly origins: readonly string[]
  /** Refuses what neither they nor our own page post. */
  readonly sameOrigin: preHandlerHookHandler
  readonly perMinute: FormLimit
}

interface JoinRoute {
  Body: SignUpRoute['Body'] & { readonly back?: string }
}

const body: BodySchema = {
  type: 'object',
  properties: {
    email: { type: 'string' },
    comment: { type: 'string' },
    language: { type: 'string' },
    back: { type: 'string' },
  },
}

/**
 * `POST /join`, a form on another site. Only the sites that the operator named may post, and nobody is
 * signed in: a cookie of ours is not sent from there. A browser gets a page; our script there gets JSON.
 */
export async function joinForm(app: FastifyInstance, options: JoinOptions) {
  const { signUp, pages, language, origins, sameOrigin, perMinute } = options
  const siteOf = ({ headers }: FastifyRequest) => origins.find((one) => one === headers.origin)
  const nextQuery = (request: FastifyRequest) => queryOf(sourceOf(request, siteOf(request)) ?? {})

  await readForms(app)

  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'POST') return
    // The answer is for this site alone, in every cache.
    reply.header('vary', 'Origin')
    const site = siteOf(request)
    if (site !== undefined) reply.header('access-control-allow-origin', site)
  })

  app.setErrorHandler((error, request, reply) => {
    if (isForScript(request)) return sendJsonRefusal(error, request, reply)
    const { code, status } = toRefusal(error, request)
    const query = nextQuery(request)
    return pages.send(reply.code(status), outcomeOf(code), emailIn(request.body), query)
  })

  const fromThere: preHandlerHookHandler = function (request, reply, done) {
    if (siteOf(request) !== undefined) return done()
    const isUnnamed = request.headers.origin === 'null' && !isForScript(request)
    if (!isUnnamed) return sameOrigin.call(this, request, reply, done)
    // A sandboxed frame, or a site that sends no referrer: one press on our own page tells.
    pages.send(reply, undefined, emailIn(request.body), nextQuery(request))
  }

  app.post<JoinRoute>(
    joinPaths.join,
    {
      onRequest: perMinute.onRequest,
      preHandler: [perMinute.preHandler, fromThere],
      schema: { body },
    },
    async (request, reply) => {
      const email = parseEmail(emailIn(request.body))
      if (email === undefined) throw new Refusal('invalid-email')
      const origin = siteOf(request)
      const elsewhere = origin === undefined ? undefined : { origin, language }
      const answer = await signUp(email, request, reply, elsewhere)
      reply.header('cache-control', 'no-store')
      const thanks = app.prefix + thanksPath(answer, joinPaths.joined)
      // The script says the thanks in place, and leads to the question of the page, where there is one.
      if (isForScript(request))
        return reply.code(201).send(answer === undefined ? {} : { answer: thanks })
      const back = parseBack(request.body.back ?? '', origins)
      return reply.redirect(back ?? thanks, 303)
    },
  )

  app.get(joinPaths.joined, (_request, reply) => pages.send(reply, 'subscribed', ''))
  // A visitor who reloads the URL of an answer with an error sends a GET here.
  app.get(joinPaths.join, (_request, reply) => reply.redirect(`${app.prefix}/`, 303))
}
