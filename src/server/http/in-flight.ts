import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

const COUNTS = Symbol('requests of a connection')

/**
 * The part of Node's HTTP parser that we wrap. It is not public: a test fails when Node changes it.
 */
interface ParsedSocket extends Socket {
  [COUNTS]?: { waiting: number; thisTurn: number }
  readonly parser?: {
    onIncoming?: (request: IncomingMessage, keepAlive: boolean) => number
  }
}

/** Tells the parser to stop: the rest of the connection is not parsed as requests. */
const STOP = 2

/** Connections that have reached the limit of waiting requests. */
const full = new WeakSet<Socket>()

/** Whether the connection closes after the answers that are under way. */
export const isFull = (socket: Socket) => full.has(socket)

/**
 * Limits the pipelined requests of a connection. The answer to the last one says `Connection:
 * close`, and everything after it is not parsed (RFC 9112, 9.3.2); the client may send it again.
 * Without this, Node parses a whole chunk of 64 kB, thousands of requests, before it checks whether
 * the answers are read.
 */
export function boundInFlight(server: Server, most: number) {
  // Answers may be sent while a chunk is still being parsed. So the requests of one connection in
  // one turn of the event loop are limited too.
  let busy: { thisTurn: number }[] = []
  function endTurn() {
    for (const counts of busy) counts.thisTurn = 0
    busy = []
  }

  server.on('connection', (socket: ParsedSocket) => {
    const next = socket.parser?.onIncoming
    if (!socket.parser || !next) return
    const counts = { waiting: 0, thisTurn: 0 }
    socket[COUNTS] = counts
    socket.parser.onIncoming = (request, keepAlive) => {
      if (full.has(socket)) {
        socket.pause()
        return STOP
      }
      counts.thisTurn += 1
      if (counts.thisTurn === 1 && busy.push(counts) === 1) setImmediate(endTurn)
      const isLast = Math.max(counts.waiting + 1, counts.thisTurn) >= most
      if (isLast) full.add(socket)
      return next(request, keepAlive && !isLast && server.listening)
    }
  })
  server.on('request', (request, response) => {
    const counts = (request.socket as ParsedSocket)[COUNTS]
    if (!counts) return
    counts.waiting += 1
    response.on('close', () => {
      counts.waiting -= 1
    })
  })
}
