import { createServer, type Server } from 'node:http'
import { isIP } from 'node:net'
import type { Registry } from '@prometheus-io/client'

const SECONDS = 1000
/** Prometheus needs one connection, and a person who looks needs another. */
const CONNECTIONS = 16

/**
 * Answers `GET /metrics` on a port of its own, which no visitor reaches.
 *
 * @returns the server, listening. @throws what `listen` does.
 */
export async function listenForMetrics(
  registry: Registry,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<Server> {
  let asked: Promise<string> | undefined
  /** Requests during an answer get the same answer. */
  const text = () => {
    asked ??= registry.metrics().finally(() => {
      asked = undefined
    })
    return asked
  }

  const server = createServer(
    {
      headersTimeout: 5 * SECONDS,
      requestTimeout: 5 * SECONDS,
      maxHeaderSize: 8192,
      connectionsCheckingInterval: SECONDS,
      keepAliveTimeout: 90 * SECONDS,
    },
    async (request, response) => {
      const end = (status: number, body: string, type = 'text/plain; charset=utf-8') =>
        response
          .writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
          .end(request.method === 'HEAD' ? undefined : body)
      request.resume()
      if (isLoopback(host) && !isNamedHere(request.headers.host)) return end(421, 'wrong host\n')
      if (request.url?.split('?')[0] !== '/metrics') return end(404, 'not found\n')
      if (request.method !== 'GET' && request.method !== 'HEAD') return end(405, 'only GET\n')
      try {
        end(200, await text(), registry.contentType)
      } catch {
        end(503, 'not now\n')
      }
    },
  )
  server.maxConnections = CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  // Nothing waits for it when the server ends.
  server.unref()
  return server
}

const isLoopback = (host: string) => host === 'localhost' || /^(127\.|::1$)/.test(host)

/** A website could let its own name lead to this machine; the request's Host then has that name. */
function isNamedHere(host: string | undefined): boolean {
  const name = URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return name === 'localhost' || isIP(name) > 0
}
