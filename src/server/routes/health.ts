import type { FastifyInstance } from 'fastify'
import type { Store } from '../../store/store.ts'

/** Anybody may ask, and each look is a write that waits for the disk. */
const BELIEVED_MS = 1000

/** `GET /healthz`: the process is alive. `GET /readyz`: a sign-up would be stored now. */
export function healthRoutes(
  app: FastifyInstance,
  { store }: { store: Pick<Store, 'checkWritable'> },
) {
  let last: Promise<void> | undefined
  const forget = () => {
    last = undefined
  }
  /** Once for all who ask meanwhile; that it failed is believed as long. */
  const look = () => {
    last ??= store.checkWritable().finally(() => setTimeout(forget, BELIEVED_MS).unref())
    return last
  }

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
