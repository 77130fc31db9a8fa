import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

const IN_FLIGHT = Symbol('requests in flight')

/** Of Node's parser, what stops it. It has no public name: a test tells when it has another. */
interface ParsedSocket extends Socket {
  [IN_FLIGHT]?: number
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
  server.on('connection', (socket: ParsedSocket) => {
    const next = socket.parser?.onIncoming
    if (!socket.parser || !next) return
    socket.parser.onIncoming = (request, keepAlive) => {
      if (full.has(socket)) {
        socket.pause()
        return STOP
      }
      const isLast = (socket[IN_FLIGHT] ?? 0) >= most - 1
      if (isLast) full.add(socket)
      return next(request, keepAlive && !isLast && server.listening)
    }
  })
  // Only with the next turn of the event loop, so that it bounds what a turn does for one of them.
  let answered: ParsedSocket[] = []
  function release() {
    for (const socket of answered) socket[IN_FLIGHT] = (socket[IN_FLIGHT] ?? 1) - 1
    answered = []
  }
  server.on('request', (request, response) => {
    const socket: ParsedSocket = request.socket
    socket[IN_FLIGHT] = (socket[IN_FLIGHT] ?? 0) + 1
    response.on('close', () => {
      if (answered.push(socket) === 1) setImmediate(release)
    })
  })
}
