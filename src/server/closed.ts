import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const LOOK_EVERY_MS = 200

/**
 * While an update tries this version on the list, only this machine reaches the server, and learns
 * only whether it is ready: nothing is taken, so that the version before can have the list back.
 *
 * @param isClosed whether that goes on.
 */
export async function untilOpened(
  app: FastifyInstance,
  port: number,
  isClosed: () => boolean,
): Promise<void> {
  // Importing the module would load Node's whole HTTP client as well.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer(async (request, response) => {
    // Once it is to open, it is ready when it has: a program that waits for that asks here as well.
    const isAsked = request.url === '/readyz' && isClosed()
    const statusCode = isAsked ? (await app.inject('/readyz')).statusCode : 503
    response.writeHead(statusCode, { 'retry-after': '5', connection: 'close' }).end()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  while (isClosed()) await sleep(LOOK_EVERY_MS)
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
