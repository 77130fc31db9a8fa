import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { paths, type SubscribeBody } from '../../shared/api.ts'
import { parseEmail } from '../../shared/email.ts'
import { Refusal } from '../http/refusal.ts'

/** Keeps an address that somebody left. @param request whose session was looked for, and whose body is read. */
export type SignUp = (email: string, request: FastifyRequest) => Promise<void>

/** `POST /api/subscribers`. A known address gets the same answer as a new one. */
export function subscriberRoutes(
  app: FastifyInstance,
  { signUp, checks }: { signUp: SignUp; checks: onRequestHookHandler[] },
) {
  app.post(paths.subscribers, { onRequest: checks }, async (request, reply) => {
    const { body } = request
    if (!isSubscribeBody(body)) throw new Refusal('bad-request')
    const email = parseEmail(body.email)
    if (email === undefined) throw new Refusal('invalid-email')
    await signUp(email, request)
    reply.code(201).header('cache-control', 'no-store')
    return {}
  })
}

function isSubscribeBody(body: unknown): body is SubscribeBody {
  return typeof (body as SubscribeBody | null)?.email === 'string'
}
