import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Bytes from the server in one connection; many times what is usual. */
const MOST_BYTES = 1_000_000
/** Bytes between two of our commands; twice the longest answer that is read to its end. */
const LONGEST_ANSWER = 128_000
const LOOK_EVERY_MS = 250

/**
 * Connects to a mail server, and closes the connection when the server sends too much. A server
 * that sends only empty lines is within every limit on the length of one answer.
 *
 * @param timeoutMs for connecting. @returns it, and how long the network took, which is there and back.
 */
export async function connectBounded(host: string, port: number, timeoutMs: number) {
  const socket = connect({ host, port })
  let began = performance.now()
  socket.once('lookup', () => {
    began = performance.now()
  })
  // Until the first reader, the operating system buffers what arrives.
  socket.pause()
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('Connection timeout')))
  await once(socket, 'connect')
  const roundTripMs = performance.now() - began
  socket.setTimeout(0)
  socket.removeAllListeners('timeout')
  watch(socket)
  return { connection: socket, roundTripMs }
}

function watch(socket: Socket): void {
  const hangUp = () => socket.destroy(new Error('The server talks without end'))
  let [said, answered] = [0, 0]
  // This listener comes first, since Nodemailer keeps every line, and checks empty ones one by one.
  socket.on('data', ({ length }) => {
    answered = socket.bytesWritten === said ? answered + length : length
    said = socket.bytesWritten
    if (answered > LONGEST_ANSWER) hangUp()
  })
  // Only the stream above sees encrypted bytes.
  const timer = setInterval(() => {
    if (socket.bytesRead > MOST_BYTES) hangUp()
  }, LOOK_EVERY_MS)
  socket.once('close', () => clearInterval(timer))
}
