import type { RequestListener } from 'node:http'
import type { DeskGate } from './desk-gate.ts'
import { boundHead, type ConnectionLimits } from './http/connection-limits.ts'
import { boundInFlight } from './http/in-flight.ts'
import type { Answerer } from './routes/site.ts'

const KEEP_ALIVE_MS = 72_000

/**
 * Node's HTTP server with our limits.
 *
 * @param answerers are asked in turn before Fastify; see `site.ts`. @param desk handles requests to
 *   the desk.
 */
export function httpServer(
  limits: ConnectionLimits,
  answerers: readonly Answerer[],
  framework: RequestListener,
  desk?: Pick<DeskGate, 'take'>,
) {
  // Importing the module would load Node's whole HTTP client as well.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: limits.headerBytes,
    // Interval at which Node checks for slow clients; the default is 30 seconds.
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
  })
  server.setTimeout(limits.silenceMs)
  // Of more, one too many is read, by which they are refused.
  server.maxHeadersCount = limits.headerLines + 1
  boundInFlight(server, limits.inFlight)
  server.on('request', (request, response) => {
    if (boundHead(request, response, limits)) return
    const otherwise = () => framework(request, response)
    if (answerers.some((answer) => answer(request, response))) return
    if (desk?.take(request, response, otherwise)) return
    otherwise()
  })
  return server
}
