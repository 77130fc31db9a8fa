import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { paths, type SubscribedBody } from '../../shared/api.ts'
import type { VisitorLimits } from '../http/rate-limits.ts'
import { emailIn, type SignUp, type SignUpRoute, signUpBody } from '../http/sign-up.ts'
import type { Sessions } from './session.ts'

interface SubscribersOptions {
  readonly signUp: SignUp
  readonly sameOrigin: onRequestHookHandler
  readonly sessions: Pick<Sessions, 'required'>
  readonly perMinute: VisitorLimits['perMinute']
}

/** `POST /api/subscribers`. A known address gets the same answer as a new one. */
export async function subscriberRoutes(
  app: FastifyInstance,
  { signUp, sameOrigin, sessions, perMinute }: SubscribersOptions,
) {
  const body = { ...signUpBody(false), required: ['email'] }
  const onRequest = [sameOrigin, sessions.required, perMinute]
  const options = { onRequest, schema: { body } }
  app.post<SignUpRoute>(paths.subscribers, options, async (request, reply) => {
    const answer = await signUp(emailIn(request), request, reply)
    reply.code(201).header('cache-control', 'no-store')
    return { ...(answer && { answer }) } satisfies SubscribedBody
  })
}
