import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that systems give to connections (from 32768 on Linux): one of them could take the
 * port of a server that is stopped and started again. Browsers ask all of these.
 */
const [FIRST, LAST] = [11_000, 19_999]

/** A port of loopback that nothing has now, for a program that takes no port 0. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1))
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') return false
        throw error
      },
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
