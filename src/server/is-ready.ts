/**
 * Asks the server on this machine whether it is ready, for a service manager or a container:
 * `node src/server/is-ready.ts [--within <seconds>]`, by default 5.
 *
 * Tries until it answers. Ends with 0 when the server is ready, with 1 when it answers that it
 * cannot store a sign-up now, and with 2 without an answer in time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readSettings } from '../config/read.ts'
import { environment } from '../product/environment.ts'
import { isAlive } from '../store/living-process.ts'

const { values } = parseArgs({ options: { within: { type: 'string', default: '5' } } })
const until = performance.now() + Number(values.within) * 1000
const left = () => Math.max(1, Math.ceil(until - performance.now()))

const url = whereToAsk()

for (let trouble = ''; ; await sleep(Math.min(250, left()))) {
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(left()) })
    if (status !== 200) console.error(`${url} answers ${status}`)
    process.exitCode = status === 200 ? 0 : 1
    break
  } catch (error) {
    trouble = String((error as Error).cause ?? error)
  }
  if (performance.now() >= until || hasEnded(environment.MAINPID)) {
    console.error(`${url} does not answer: ${trouble}`)
    process.exitCode = 2
    break
  }
}

function whereToAsk(): string {
  const read = readSettings(({ get }) => `${reachable(get('HOST'))}:${get('PORT')}`)
  if ('settings' in read) return `http://${read.settings}/readyz`
  console.error(read.mistakes.join('\n'))
  process.exit(2)
}

/** A server that listens everywhere is asked on loopback. */
function reachable(host: string) {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const address = isEverywhere ? host.replace('0.0.0.0', '127.0.0.1').replace(/^::$/, '::1') : host
  return address.includes(':') ? `[${address}]` : address
}

/** @param pid of the server that systemd waits for: an ended one will not answer. */
function hasEnded(pid: string | undefined) {
  return Boolean(pid) && !isAlive(Number(pid))
}
