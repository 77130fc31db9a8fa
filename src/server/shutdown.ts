import type { FastifyInstance } from 'fastify'

/** How long open requests may take when the server ends; the unit of systemd waits longer. */
const FINISH_WITHIN_MS = 10_000

/** What is running, and can be closed. */
export interface Closed {
  close(): unknown
}

/**
 * Ends the server: first open requests, then the background work, and the store at last.
 *
 * @param besides the background work that was started.
 */
export async function shutDown(
  app: FastifyInstance,
  besides: readonly (Closed | null | undefined)[],
  store: Closed,
): Promise<void> {
  // Clients that have not sent a whole request by then are disconnected.
  setTimeout(() => app.server.closeAllConnections(), FINISH_WITHIN_MS).unref()
  await app.close()
  await Promise.all(besides.map((one) => one?.close()))
  await store.close()
}

/** Ends the process by SIGTERM, by Ctrl-C, or as its terminal closes, once `finish` is done. */
export function endBySignal(finish: () => Promise<void>): void {
  let isClosing = false
  // Ctrl-C under npm arrives twice: from the terminal and from npm. A process that ends removes its
  // signal handlers a moment before, and the second signal could then kill it.
  const close = async () => {
    if (isClosing) return
    isClosing = true
    await finish()
    process.exit()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, close)
}
