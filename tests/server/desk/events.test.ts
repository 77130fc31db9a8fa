/** @module-tag thorough */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { LetterProgress } from '../../../src/desk/contract/letters.ts'
import type { TodayState } from '../../../src/desk/contract/today.ts'
import { asJson } from '../../../src/report/json.ts'
import { deskOf } from '../../fixtures/desk-site.ts'
import { readEvents } from '../../fixtures/event-stream.ts'
import { startNginx } from '../../fixtures/nginx.ts'
import { type RunningSite, startSite } from '../../fixtures/running-site.ts'

const PATH = '/desk/events?of=today'

/** One for the tests that leave its server as it was: each counts from who is there. */
let shared: RunningSite

beforeAll(async () => {
  shared = await startSite()
})
afterAll(() => shared.stop())

async function started(desk = deskOf(shared)) {
  const before = desk.site.subscribers().length
  const headers = await desk.session()
  const listen = async (origin = desk.site.url, of: { cookie: string } = headers) => {
    const reader = await readEvents(origin + PATH, of)
    onTestFinished(() => reader.close())
    return reader
  }
  const isThere = (count: number) => (state: TodayState) =>
    Number(toldBy(state).subscribers) >= before + count
  return { ...desk, before, headers, listen, isThere }
}

/** What the page says, by the names of its figures and tables. */
const toldBy = ({ report }: TodayState) => asJson(report)

/** Signs up without script, as the server has it. */
async function signUp(origin: string, email: string) {
  const answer = await fetch(`${origin}/subscribe`, {
    method: 'POST',
    headers: {
      origin,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'accept-language': 'en',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ email }).toString(),
  })
  expect(answer.ok, String(answer.status)).toBe(true)
}

describe('the events of the desk', () => {
  it('say at once how it is, and then who came, whoever wrote it', async () => {
    const { site, before, listen, isThere, withStore } = await started()
    const reader = await listen()
    expect(reader.status).toBe(200)
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(await reader.until<string>('build', () => true)).toMatch(/main-.*\.js$/)
    await reader.until('state', isThere(0))

    // The server.
    await signUp(site.url, 'ada@example.com')
    const { latest } = toldBy(await reader.until('state', isThere(1)))
    expect(latest).toMatchObject([{ email: 'ada@example.com' }])
    // Another process, as a command is one.
    const bob = { email: 'bob@example.com', subscribedAt: new Date(0) }
    await withStore((store) => store.list.importAll([bob]))
    await reader.until('state', isThere(2))
    // And what makes fewer.
    await withStore((store) => store.standings.forget('bob@example.com'))
    await reader.until<TodayState>('state', (one) => toldBy(one).subscribers === before + 1)
  })

  it('say how a letter is, each of its own, and that it was ended', async () => {
    const { site, headers, ask, withStore } = await started()
    const hear = async (name: string) => {
      const reader = await readEvents(`${site.url}/desk/events?of=letter:${name}`, headers)
      onTestFinished(() => reader.close())
      return reader
    }
    const [launch, other] = await Promise.all([hear('launch'), hear('other')])
    const is = (state: string) => (letter: LetterProgress) => letter.state === state
    await Promise.all([launch.until('state', is('unsent')), other.until('state', is('unsent'))])
    // As a command begins it, and ends without a word.
    await withStore(async (store) => {
      await store.list.importAll([{ email: 'reader@example.com', subscribedAt: new Date(0) }])
      await store.lock.acquire({ owner: 'a run', host: 'elsewhere', pid: 1 }, 60_000)
      await store.ledger.begin('a run', 'launch', { subject: 'We are live', digest: 'x' })
      await store.lock.release('a run')
    })
    expect((await launch.until('state', is('stopped'))).tally.sent).toBe(0)
    await other.until('state', is('unsent'))
    for (const name of ['..%2Fsecret', 'NOPE', ''])
      expect((await ask(`/desk/events?of=letter:${name}`, { headers })).status).toBe(404)
  })

  it('flow through nginx as it buffers by default', async (context) => {
    const { site, listen, isThere } = await started()
    // Buffering is on, and HTTP/1.0 to the server.
    const http = 'gzip on;gzip_types *;gzip_proxied any;'
    const reader = await listen(await startNginx(context, site.url, { http }))
    await reader.until('state', isThere(0))
    await signUp(site.url, 'nginx@example.com')
    await reader.until('state', isThere(1))
  })
})
