/** @module-tag thorough */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { visitorKinds } from '../../src/audience/visitor-kind.ts'
import { languageChooser } from '../../src/server/http/accept-language.ts'
import { paths } from '../../src/shared/api.ts'
import { openApp, openSince } from '../fixtures/app.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
setFlagsFromString('--no-expose-gc')

/** What is alive, in bytes. */
function held() {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const MANY = 40_000
const LONG = 'x'.repeat(150)
const kindOf = visitorKinds()
const headers: [string, (header: string) => unknown][] = [
  ['Accept-Language', languageChooser(['en', 'de'])],
  ['User-Agent', (agent) => kindOf({ 'user-agent': agent })],
]

it.for(headers)('of a header %s that nobody else sends, nothing is held', ([, look]) => {
  look('first')
  const before = held()
  for (let n = 0; n < MANY; n += 1) look(`${n} ${LONG}`)
  expect(held() - before).toBeLessThan((MANY * LONG.length) / 4)
})

const REQUESTS = 600
/** A request and its answer take more than twice this. */
const BYTES_A_REQUEST = 4000

it('of whoever was answered, a server holds nothing', async () => {
  const { app } = await openApp({ log: pino({ level: 'silent' }) })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const json = { ...openSince(60_000), 'content-type': 'application/json' }
  const form = { ...openSince(60_000), 'content-type': 'application/x-www-form-urlencoded' }
  const visits = [
    { method: 'GET', path: '/' },
    { method: 'POST', path: paths.subscribers, headers: json, body: '{"email":"ada@example.com"}' },
    { method: 'POST', path: paths.subscribe, headers: form, body: 'email=ada%40example.com' },
  ]
  async function visit(times: number) {
    for (let n = 0; n < times; n += 1) {
      const { body, ...asked } = visits[n % visits.length] ?? {}
      const [answer] = await once(request({ agent, port, ...asked }).end(body), 'response')
      expect(answer.statusCode).toBeLessThan(400)
      await answer.resume().toArray()
    }
  }
  await visit(200)
  const before = held()
  await visit(REQUESTS)
  expect(held() - before).toBeLessThan(REQUESTS * BYTES_A_REQUEST)
})
