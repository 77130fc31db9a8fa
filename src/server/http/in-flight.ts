import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

const COUNTS = Symbol('requests of a connection')

/** Of Node's parser, what stops it. It has no public name: a test tells when it has another. */
interface ParsedSocket extends Socket {
  [COUNTS]?: { waiting: number; thisTurn: number }
  readonly parser?: {
    onIncoming?: (request: IncomingMessage, keepAlive: boolean) => number
  }
}

/** What follows on the connection is no request for us: the parser goes no further. */
const STOP = 2

/** Connections that have had as many requests waiting as they may. */
const full = new WeakSet<Socket>()

/** Whether the connection closes with the answers that are under way. */
export const isFull = (socket: Socket) => full.has(socket)

/**
 * Lets each connection have so many requests waiting. The last one's answer says that the connection
 * closes, and what was sent after it is not read, as the protocol has it for whoever wants to ask
 * again. Node alone makes requests of all that is in a chunk of 64 kB, thousands of them, and only
 * then looks whether anybody reads the answers.
 */
export function boundInFlight(server: Server, most: number) {
  // Answers may leave while a chunk is still being parsed: what a turn of the event loop does for one
  // connection is bounded too.
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
