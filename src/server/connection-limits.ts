import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long a client may take, in milliseconds, and how much it may send, in bytes. */
export interface ConnectionLimits {
  readonly headersMs: number
  readonly requestMs: number
  readonly silenceMs: number
  readonly headerBytes: number
  readonly bodyBytes: number
}

export const connectionLimits: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 20_000,
  silenceMs: 60_000,
  headerBytes: 16 * 1024,
  // The longest input the e-mail rule looks at, each character escaped in nine bytes.
  bodyBytes: 16 * 1024,
}

/** Fastify's options for these limits. */
export function limitConnections(limits: ConnectionLimits) {
  return {
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.silenceMs,
    http: {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      maxHeaderSize: limits.headerBytes,
      // Node looks for slow clients only so often, and by default every 30 seconds.
      connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    },
    clientErrorHandler: answerClientError,
  }
}

// Words of our own: importing `node:http` for its list would load Node's whole HTTP client as well.
const statuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Answers what is not HTTP, or not in time; there is no request yet, only the connection. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = statuses[error.code ?? ''] ?? '400 Bad Request'
  const body = '{"error":"bad-request"}'
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  )
}

/** Lets go of each client with its answer once the server closes; else idle ones keep it open. */
export function hangUpWhenClosing(app: FastifyInstance) {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
}

/**
 * An answer may come before all of a body, such as a refusal. What follows is read past, so that a
 * client that is still sending gets to read the answer, but no more of it than a body may have.
 */
export function hangUpOnEndlessBodies(app: FastifyInstance, { bodyBytes }: ConnectionLimits) {
  app.addHook('onSend', ({ raw }, _reply, _payload, done) => {
    if (!raw.complete) {
      let bytes = 0
      raw.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > bodyBytes) raw.destroy()
      })
    }
    done()
  })
}
