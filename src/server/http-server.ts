import type { RequestListener } from 'node:http'
import type { ConnectionLimits } from './http/connection-limits.ts'
import { boundInFlight } from './http/in-flight.ts'
import type { Answerer } from './routes/site.ts'

const KEEP_ALIVE_MS = 72_000

/** Node's server within our limits. @param answer is asked before the framework is. */
export function httpServer(limits: ConnectionLimits, answer: Answerer, framework: RequestListener) {
  // Importing the module would load Node's whole HTTP client as well.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: limits.headerBytes,
    // Node looks for slow clients only so often, and by default every 30 seconds.
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
  })
  server.setTimeout(limits.silenceMs)
  boundInFlight(server, limits.inFlight)
  server.on('request', (request, response) => {
    if (!answer(request, response)) framework(request, response)
  })
  return server
}
