import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { paths, type SubscribeBody } from '../../shared/api.ts'
import { parseEmail } from '../../shared/email.ts'
import type { SubscriberStore } from '../../store/subscriber-store.ts'
import { Refusal } from '../http/refusal.ts'

/** `POST /api/subscribers`. A known address gets the same answer as a new one. */
export function subscriberRoutes(
  app: FastifyInstance,
  { store, checks }: { store: SubscriberStore; checks: onRequestHookHandler[] },
) {
  app.post(paths.subscribers, { onRequest: checks }, async (request, reply) => {
    const { body } = request
    if (!isSubscribeBody(body)) throw new Refusal('bad-request')
    const email = parseEmail(body.email)
    if (email === undefined) throw new Refusal('invalid-email')
    await store.add(email)
    reply.code(201).header('cache-control', 'no-store')
    return {}
  })
}

function isSubscribeBody(body: unknown): body is SubscribeBody {
  return typeof (body as SubscribeBody | null)?.email === 'string'
}
