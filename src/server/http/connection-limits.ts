import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isFull } from './in-flight.ts'

/** How long a client may take, in milliseconds, and how much it may send, in bytes or requests. */
export interface ConnectionLimits {
  readonly headersMs: number
  readonly requestMs: number
  readonly silenceMs: number
  readonly headerBytes: number
  readonly headerLines: number
  /** Of a path, and of a query, each: the rest is ignored, in characters. */
  readonly pathLength: number
  readonly bodyBytes: number
  /** How many requests of one connection may wait for their answers to be sent. */
  readonly inFlight: number
}

export const connectionLimits: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 20_000,
  silenceMs: 60_000,
  headerBytes: 16 * 1024,
  // Browsers send some twenty, and proxies add as many.
  headerLines: 100,
  // The longest path of ours has the token of an answer, some 1,500; of a query no more is read.
  pathLength: 2000,
  // The longest input the e-mail rule looks at, each character escaped in nine bytes.
  bodyBytes: 16 * 1024,
  // Browsers and proxies do not pipeline: they wait for each answer.
  inFlight: 10,
}

/**
 * Refuses a request with too many headers, or with two hosts as RFC 9112, section 3.2, asks, and cuts
 * its URL. @returns whether it was refused.
 */
export function boundHead(
  request: IncomingMessage,
  response: ServerResponse,
  { headerLines, pathLength }: ConnectionLimits,
): boolean {
  const { rawHeaders } = request
  const refusal = rawHeaders.length > 2 * headerLines ? 431 : hasTwoHosts(rawHeaders) ? 400 : 0
  if (refusal) {
    response
      .writeHead(refusal, {
        connection: 'close',
        'content-type': 'application/json; charset=utf-8',
      })
      .end(BAD_REQUEST)
    return true
  }
  const { url = '' } = request
  if (url.length > pathLength) {
    const [path = ''] = url.split('?', 1)
    request.url = [path, url.slice(path.length)].map((part) => cut(part, pathLength)).join('')
  }
  return false
}

/** Proxies may go by the other one. @param rawHeaders names and values in turn. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  const isHost = (text: string, i: number) =>
    i % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host'
  return rawHeaders.findIndex(isHost) !== rawHeaders.findLastIndex(isHost)
}

/** No part of an escape is left at the end. */
const cut = (text: string, length: number) =>
  text.length > length ? text.slice(0, length).replace(/%.?$/, '') : text

/** Fastify's options for these limits; `httpServer` has the others. */
export function limitConnections({ bodyBytes }: ConnectionLimits) {
  return { bodyLimit: bodyBytes, clientErrorHandler: answerClientError }
}

// Our own list: importing `STATUS_CODES` of `node:http` would also load Node's HTTP client.
const statuses: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

const BAD_REQUEST = '{"error":"bad-request"}'

/** Answers bytes that are no valid HTTP request, and requests that come too slowly. */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket) {
  // Bytes after the last request: answers that are under way are still sent.
  if (isFull(socket)) return
  // An answer is half sent: a second one cannot be written into it.
  const isUnheard = !socket.writable || socket.writableLength > 0
  if (error.code === 'ECONNRESET' || isUnheard) return void socket.destroy()
  const status = statuses[error.code ?? ''] ?? '400 Bad Request'
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${BAD_REQUEST.length}`,
      '',
      BAD_REQUEST,
    ].join('\r\n'),
  )
}

/**
 * Closes connections that wait for an answer when the server closes; else they would keep it open.
 *
 * @param closing aborted once the server closes.
 *
 * A refusal may be sent before the whole body has arrived. The rest of the body is read and
 * discarded, up to the limit of a body, so that a client that is still sending can read the answer.
 */
export function hangUpAfterAnswers(
  app: FastifyInstance,
  { bodyBytes }: ConnectionLimits,
  closing: AbortSignal,
) {
  app.addHook('onSend', ({ raw }, reply, _payload, done) => {
    if (closing.aborted) reply.header('connection', 'close')
    if (!raw.complete) readPast(raw, bodyBytes)
    done()
  })
}

/** Reads and discards a body, and closes the connection when it exceeds the limit. */
export function readPast(request: IncomingMessage, bodyBytes: number) {
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bodyBytes) request.destroy()
  })
}
