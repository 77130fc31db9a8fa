import type { FastifyInstance } from 'fastify'
import type { SubscriberStore } from '../../store/subscriber-store.ts'

/** `GET /healthz`: the process answers. `GET /readyz`: an address left now would be kept. */
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
