import type { FastifyInstance } from 'fastify'
import type { SubscriberStore } from '../../store/subscriber-store.ts'

/** `GET /healthz`: the process is alive. `GET /readyz`: a sign-up would be stored now. */
export function healthRoutes(app: FastifyInstance, { store }: { store: SubscriberStore }) {
  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'alive' }
  })

  app.get('/readyz', async (_request, reply) => {
    await store.checkWritable()
    reply.header('cache-control', 'no-store')
    return { status: 'ready' }
  })
}
