import { connect, type Socket } from 'node:net'

/** Many times what a server says about the messages of one connection. */
const MOST_BYTES = 1_000_000
const LOOK_EVERY_MS = 250

/**
 * Connects to a mail server, and hangs up on one that talks without end: whoever sends nothing but
 * empty lines is within every limit on the length of an answer.
 *
 * @param timeoutMs to get a connection.
 */
export function connectBounded(host: string, port: number, timeoutMs: number): Promise<Socket> {
  const socket = connect({ host, port })
  // Until somebody reads, whatever comes stays with the system.
  socket.pause()
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('Connection timeout')))
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      socket.setTimeout(0)
      socket.removeAllListeners('timeout')
      watch(socket)
      resolve(socket)
    })
  })
}

/** Looks from beside, since what is read may be encrypted by then. */
function watch(socket: Socket): void {
  const timer = setInterval(() => {
    if (socket.bytesRead > MOST_BYTES) socket.destroy(new Error('The server talks without end'))
  }, LOOK_EVERY_MS)
  socket.once('close', () => clearInterval(timer))
}
