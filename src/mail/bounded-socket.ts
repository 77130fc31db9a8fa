import { connect, type Socket } from 'node:net'

/** Bytes from the server in one connection; many times what is usual. */
const MOST_BYTES = 1_000_000
const LOOK_EVERY_MS = 250

export interface BoundedSocket {
  readonly connection: Socket
  /** How long the network took to connect, which is there and back. */
  readonly roundTripMs: number
}

/**
 * Connects to a mail server, and closes the connection when the server sends too much. A server
 * that sends only empty lines is within every limit on the length of one answer.
 *
 * @param timeoutMs for connecting.
 */
export function connectBounded(
  host: string,
  port: number,
  timeoutMs: number,
): Promise<BoundedSocket> {
  const socket = connect({ host, port })
  let began = performance.now()
  socket.once('lookup', () => {
    began = performance.now()
  })
  // Until the first reader, the operating system buffers what arrives.
  socket.pause()
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('Connection timeout')))
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => {
      const roundTripMs = performance.now() - began
      socket.off('error', reject)
      socket.setTimeout(0)
      socket.removeAllListeners('timeout')
      watch(socket)
      resolve({ connection: socket, roundTripMs })
    })
  })
}

/** Counts on the raw socket, since the stream above it may be encrypted. */
function watch(socket: Socket): void {
  const timer = setInterval(() => {
    if (socket.bytesRead > MOST_BYTES) socket.destroy(new Error('The server talks without end'))
  }, LOOK_EVERY_MS)
  socket.once('close', () => clearInterval(timer))
}
