import type { FastifyInstance } from 'fastify'
import { type Waiting, waitingFaults } from '../../shared/waiting-too-long.ts'
import type { Store } from '../../store/store.ts'

/**
 * How long a result is reused: anybody may ask, and each check is a write that waits for the disk.
 */
const BELIEVED_MS = 1000
const VERY_LATE_S = 600

/** `GET /healthz`: the process is alive. `GET /readyz`: a sign-up would be stored now. */
export async function healthRoutes(
  app: FastifyInstance,
  { store }: { store: Pick<Store, 'checkWritable'> & Partial<Pick<Store, 'inbox'>> },
) {
  let last: Promise<Waiting | undefined> | undefined
  const forget = () => {
    last = undefined
  }
  /** Checks once for all requests meanwhile; a failure is reused as long. */
  const look = () => {
    last ??= looked().finally(() => setTimeout(forget, BELIEVED_MS).unref())
    return last
  }
  async function looked() {
    await store.checkWritable()
    return store.inbox?.waiting()
  }

  app.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { status: 'alive' }
  })

  app.get('/readyz', async (_request, reply) => {
    const late = await look()
    reply.header('cache-control', 'no-store')
    // The status stays that of appending: a start anew would end no fault of taking in.
    return {
      status: 'ready',
      ...(late && late.seconds > VERY_LATE_S && { late: waitingFaults(late) }),
    }
  })
}
