import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isFull } from './in-flight.ts'

/** How long a client may take, in milliseconds, and how much it may send, in bytes or requests. */
export interface ConnectionLimits {
  readonly headersMs: number
  readonly requestMs: number
  readonly silenceMs: number
  readonly headerBytes: number
  readonly bodyBytes: number
  /** How many requests of one connection may wait for their answers to be sent. */
  readonly inFlight: number
}

export const connectionLimits: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 20_000,
  silenceMs: 60_000,
  headerBytes: 16 * 1024,
  // The longest input the e-mail rule looks at, each character escaped in nine bytes.
  bodyBytes: 16 * 1024,
  // Browsers and proxies send the next one when they have an answer.
  inFlight: 10,
}

/** Fastify's options for these limits; `httpServer` has the others. */
export function limitConnections({ bodyBytes }: ConnectionLimits) {
  return { bodyLimit: bodyBytes, clientErrorHandler: answerClientError }
}

// Words of our own: importing `node:http` for its list would load Node's whole HTTP client as well.
const statuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** Answers what is not HTTP, or not in time; there is no request yet, only the connection. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket) {
  // What follows the last request is cut anywhere; the answers that are under way still go out.
  if (isFull(socket)) return
  // Nothing can be said into the middle of an answer that is not being read.
  const isUnheard = !socket.writable || socket.writableLength > 0
  if (error.code === 'ECONNRESET' || isUnheard) return void socket.destroy()
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

/** Lets go of who is waiting for an answer once the server closes; else they keep it open. */
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
    if (!raw.complete) readPast(raw, bodyBytes)
    done()
  })
}

/** Reads past a body, and hangs up when it is longer than a body may be. */
export function readPast(request: IncomingMessage, bodyBytes: number) {
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bodyBytes) request.destroy()
  })
}
