/**
 * Run as a process: floods a server over many connections and ends by itself.
 * Arguments: which flood, the server's URL, how many connections or requests, for how many seconds.
 * Prints as JSON how many connections it could open and how often each status was answered.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the flooding process found. */
export interface Flooded {
  readonly opened: number
  /** Connections that the server ended before the time was over. */
  readonly hungUp: number
  readonly statuses: Readonly<Record<string, number>>
}

/** Opened one after the other, so many at a time, as a server accepts only so many at once. */
const AT_A_TIME = 200
const CONNECT_WITHIN_MS = 20_000

const [which = '', url = '', count = '', seconds = ''] = process.argv.slice(2)
const { hostname, port } = new URL(url)
const until = performance.now() + Number(seconds) * 1000
const statuses: Record<string, number> = {}
let opened = 0
let hungUp = 0

/** @param onAnswer is told of each answer that begins. */
async function open(onAnswer = () => {}): Promise<Socket | undefined> {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.on('error', () => {})
  let rest = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    const heard = rest + text
    for (const [, status = ''] of heard.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
      statuses[status] = (statuses[status] ?? 0) + 1
      onAnswer()
    }
    // A status line may arrive in two pieces.
    rest = heard.slice(-11)
  })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_WITHIN_MS) })
  } catch {
    socket.destroy()
    return undefined
  }
  opened++
  socket.on('close', () => {
    if (performance.now() < until) hungUp++
  })
  return socket
}

/** Resolves when it happens, or nothing more can. */
function happens(socket: Socket, event: 'data' | 'drain'): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off(event, done).off('close', done)
      resolve()
    }
    socket.on(event, done).on('close', done)
  })
}

/** Writes what it is given until that ends or the server hangs up, never more than is taken. */
async function write(socket: Socket, parts: Iterable<string>, pauseMs = 0) {
  for (const part of parts) {
    if (!socket.writable || performance.now() > until) return
    if (pauseMs > 0) await sleep(pauseMs)
    if (!socket.write(part, 'latin1') && socket.writable) await happens(socket, 'drain')
  }
}

const post = (more: string) =>
  `POST /api/subscribers HTTP/1.1\r\nHost: ${hostname}:${port}\r\nSec-Fetch-Site: same-origin\r\n` +
  `Content-Type: application/json\r\n${more}`

function* forever(part: string) {
  for (;;) yield part
}

function* slowly(text: string) {
  yield* text
  yield* forever('x')
}

const { COOKIE: cookie = '', TOKEN: token = '' } = process.env

/** One request of every kind that is worth asking for by the thousand. */
const requests: Record<string, string> = {
  'unread pages': `GET / HTTP/1.1\r\nHost: x\r\n\r\n`,
  'unread unknown paths': `GET /start HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n`,
  'unread sign-ups': `${post(`Cookie: ${cookie}\r\nContent-Length: 25`)}\r\n\r\n{"email":"a@example.com"}`,
  'unread sign-ins': 'POST /api/session HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\n\r\n',
  'unread forms':
    'POST /subscribe HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 21\r\n' +
    'Content-Type: application/x-www-form-urlencoded\r\n\r\nemail=a%40example.com',
  'unread unsubscribes': `POST /unsubscribe/${token} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`,
}
/** So many at once, and none of the answers is read. */
const UNREAD = 2500

const KILOBYTES = 'x'.repeat(16 * 1024)
/** So many requests at once on a connection; the next ones when these are answered. */
const AT_ONCE = 5

const floods: Record<string, (socket: Socket) => Promise<void>> = {
  silent: async () => {},
  'slow headers': (socket) => write(socket, slowly(post('X-Slow: ')), 1000),
  'slow bodies': async (socket) => {
    await write(socket, [post('Content-Length: 1000\r\n\r\n')])
    await write(socket, forever('x'), 1000)
  },
  'endless headers': async (socket) => {
    await write(socket, [post('X-Long: ')])
    await write(socket, forever(KILOBYTES))
  },
  'endless bodies': async (socket) => {
    await write(socket, [post('Transfer-Encoding: chunked\r\n\r\n')])
    await write(socket, forever(`4000\r\n${KILOBYTES}\r\n`))
  },
}

for (const [name, text] of Object.entries(requests))
  floods[name] = async (socket) => {
    socket.pause()
    await write(socket, [text.repeat(UNREAD)])
  }

async function floodConnections(flood: (socket: Socket) => Promise<void>) {
  const under: Promise<unknown>[] = []
  for (let i = 0; i < Number(count); i += AT_A_TIME) {
    const some = Array.from({ length: Math.min(AT_A_TIME, Number(count) - i) }, () => open())
    for (const socket of await Promise.all(some)) if (socket) under.push(flood(socket))
  }
  await Promise.all(under)
  await sleep(Math.max(0, until - performance.now()))
}

/** A sign-up for another address each time and, it says, from another place. */
function signUp(number: number) {
  const body = `{"email":"flood-${number}@example.com"}`
  const from = `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
  const headers = `Cookie: ${cookie}\r\nX-Forwarded-For: ${from}\r\nContent-Length: ${body.length}`
  return `${post(headers)}\r\n\r\n${body}`
}

/** So many requests over so many connections, each time waiting for the answers. */
async function floodRequests(requestOf: (number: number) => string, connections: number) {
  let sent = 0
  const nextRequest = () => requestOf(sent++)
  async function keepSending() {
    let waitingFor = 0
    const socket = await open(() => waitingFor--)
    while (socket?.writable && sent < Number(count) && performance.now() < until) {
      waitingFor = Math.min(AT_ONCE, Number(count) - sent)
      await write(socket, [Array.from({ length: waitingFor }, nextRequest).join('')])
      while (waitingFor > 0 && socket.writable) await happens(socket, 'data')
    }
  }
  await Promise.all(Array.from({ length: connections }, keepSending))
}

if (which === 'requests') await floodRequests(signUp, 50)
else if (which === 'unsubscribes')
  await floodRequests(() => requests['unread unsubscribes'] ?? '', 100)
else await floodConnections(floods[which] ?? (() => Promise.reject(new Error(`no flood ${which}`))))
const flooded: Flooded = { opened, hungUp, statuses }
process.stdout.write(JSON.stringify(flooded), () => process.exit())
