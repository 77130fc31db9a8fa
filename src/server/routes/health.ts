import type { FastifyInstance } from 'fastify'
import { atMostEvery } from '../../shared/at-most-every.ts'
import type { SubscriberStore } from '../../store/subscriber-store.ts'

/** Anybody may ask, and each look is a write that waits for the disk. */
const BELIEVED_MS = 1000

/** `GET /healthz`: the process is alive. `GET /readyz`: a sign-up would be stored now. */
export function healthRoutes(
  app: FastifyInstance,
  { store }: { store: Pick<SubscriberStore, 'checkWritable'> },
) {
  const look = atMostEvery(BELIEVED_MS, () => store.checkWritable())

  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'alive' }
  })

  app.get('/readyz', async (_request, reply) => {
    await look()
    reply.header('cache-control', 'no-store')
    return { status: 'ready' }
  })
}
