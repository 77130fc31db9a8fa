import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import {
  Agent,
  createServer,
  get,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import {
  connect,
  createServer as createHttp2Server,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import product from '../../../product.config.ts'
import { deskHeaders } from '../../../src/desk/contract/visitor.ts'
import { deskTokens, hashOfSecret } from '../../../src/keys/desk-tokens.ts'
import { deskGate } from '../../../src/server/desk-gate.ts'
import type { DeskProcess } from '../../../src/server/desk-process.ts'
import { type DeskAccessState, nobodyAtTheDesk } from '../../../src/store/desk-access.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { deskCookieName } from '../../fixtures/desk-cookie.ts'
import { linkKey } from '../../fixtures/keys.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'

const tokens = deskTokens(linkKey)
const { appId } = product
const named = deskCookieName(linkKey)

/** A gate over a store that counts how often it is read, where each look is paid for. */
function openGate(
  read: () => Promise<DeskAccessState>,
  connect: DeskProcess['connect'] = () => undefined,
) {
  let reads = 0
  const gate = deskGate({
    access: {
      read: () => {
        reads += 1
        return read()
      },
      change: () => Promise.reject(new StoreUnavailable('full')),
    },
    doors: '',
    process: {
      connect,
      isWell() {},
      isSilent() {},
      isIdle() {},
      close: async () => {},
    },
    linkKey,
    appId,
    publicUrl: null,
    log: pino({ level: 'silent' }),
  })
  /** @returns the status, or `unknown` where it is left to what answers unknown paths. */
  const ask = (url: string, cookie?: string, more: Record<string, string> = {}) =>
    new Promise<number | 'unknown'>((resolve) => {
      const request = {
        url,
        method: 'GET',
        headers: { ...(cookie && { cookie }), ...more },
        complete: true,
      }
      const response = {
        headersSent: false,
        destroyed: false,
        on: () => response,
        end() {},
        destroy() {},
        writeHead: resolve,
      }
      const otherwise = () => resolve('unknown')
      const isTaken = gate.take(
        request as unknown as IncomingMessage,
        response as unknown as ServerResponse,
        otherwise,
      )
      if (!isTaken) otherwise()
    })
  return { ask, reads: () => reads }
}

const session = () => {
  const token = tokens.make('session')
  const [id, now] = [String(tokens.idOf('session', token)), Date.now()]
  const row = { id, begunAt: now, usedAt: now, until: now + 60_000, device: 'x' }
  return { cookie: `${named}=${token}`, row }
}

describe('the gate of the desk', () => {
  it('looks nothing up for what we have not signed', async () => {
    const { ask, reads } = openGate(async () => nobodyAtTheDesk)
    const other = deskTokens(Buffer.from('a key of another installation, as long')).make('session')
    for (const cookie of [undefined, `${named}=${other}`, `${named}=${tokens.make('link')}`])
      for (const path of ['/desk', `/desk/${other}`, `/desk/${tokens.make('session')}`])
        expect(await ask(path, cookie)).toBe('unknown')
    expect(reads()).toBe(0)
  })

  it('reads each time, so that an end is one at once', async () => {
    const { cookie, row } = session()
    let state: DeskAccessState = { ...nobodyAtTheDesk, sessions: [row] }
    const { ask } = openGate(async () => state)
    expect(await ask('/desk', cookie)).toBe(503)
    state = nobodyAtTheDesk
    expect(await ask('/desk', cookie)).toBe('unknown')
  })

  it('lets a page of another site lead to it, and load nothing of it', async () => {
    const { cookie, row } = session()
    const { ask } = openGate(async () => ({ ...nobodyAtTheDesk, sessions: [row] }))
    const from = (site: string, mode: string, dest?: string) =>
      ask('/desk/people', cookie, {
        'sec-fetch-site': site,
        'sec-fetch-mode': mode,
        ...(dest && { 'sec-fetch-dest': dest }),
      })
    for (const site of ['cross-site', 'same-site', 'same-origin, cross-site']) {
      for (const mode of ['cors', 'no-cors', 'websocket'])
        expect(await from(site, mode, 'empty')).toBe('unknown')
      for (const dest of ['iframe', 'object', 'image'])
        expect(await from(site, 'navigate', dest)).toBe('unknown')
      expect(await from(site, 'navigate', 'document')).toBe(503)
      // As Safari did for long.
      expect(await from(site, 'navigate')).toBe(503)
    }
    expect(await from('same-origin', 'cors', 'empty')).toBe('unknown')
    expect(await from('same-origin', 'navigate', 'document')).toBe(503)
    expect(await from('none', 'navigate', 'document')).toBe(503)
  })

  it('lets one session ask so often, and another one all the same', async () => {
    const [one, other] = [session(), session()]
    const { ask } = openGate(async () => ({ ...nobodyAtTheDesk, sessions: [one.row, other.row] }))
    let allowed = 0
    // Some are let in again each second, so which one is refused depends on the machine.
    while (allowed < 20_000 && (await ask('/desk', one.cookie)) === 503) allowed += 1
    expect(allowed).toBeGreaterThanOrEqual(400)
    expect(allowed).toBeLessThan(20_000)
    expect(await ask('/desk', other.cookie)).toBe(503)
  })

  it('keeps places for a session, however many requests of another one are waiting', async () => {
    const [{ cookie, row }, other] = [session(), session()]
    const state = { ...nobodyAtTheDesk, sessions: [row, other.row] }
    let waiting = 0
    const stream = { on: () => stream, close() {}, end() {}, unpipe() {} }
    const request = () => {
      waiting += 1
      return stream
    }
    const { ask } = openGate(
      async () => state as never,
      () => ({ request }) as never,
    )
    const more = async (by: string, times: number) => {
      const before = waiting
      // Who is let in is not answered.
      for (let i = 0; i < times; i += 1) void ask('/desk', by)
      await new Promise((resolve) => setImmediate(resolve))
      return waiting - before
    }
    expect(await more(cookie, 70)).toBe(60)
    // A hundred in all.
    expect(await more(other.cookie, 70)).toBe(40)
  })

  it('says that the desk cannot be reached while its store is away, to who shows what we signed', async () => {
    let isAway = true
    const { cookie, row } = session()
    const { ask } = openGate(async () => {
      if (isAway) throw new StoreUnavailable('away')
      return { ...nobodyAtTheDesk, sessions: [row] }
    })
    expect(await ask('/desk', cookie)).toBe(503)
    expect(await ask('/desk')).toBe('unknown')
    isAway = false
    expect(await ask('/desk', session().cookie)).toBe('unknown')
  })

  it('knows an expired session no more', async () => {
    const { cookie, row } = session()
    const over = { ...row, until: Date.now() }
    const { ask } = openGate(async () => ({ ...nobodyAtTheDesk, sessions: [over] }))
    expect(await ask('/desk', cookie)).toBe('unknown')
  })
})

describe('before a desk that answers', () => {
  const LONG_MS = 60_000

  it('what the desk takes long for is waited for where it does something, and not where it only shows something', async () => {
    const { ask, silences } = await openServed({ answerWithinMs: { look: 100, act: LONG_MS } })
    const acts = await ask('/desk/slow', { method: 'POST', body: 'name=launch' })
    expect([acts.status, await acts.text()]).toEqual([200, 'slow'])
    expect(silences()).toBe(0)
    for (const method of ['GET', 'HEAD'])
      expect((await ask('/desk/slow', { method })).status, method).toBe(503)
    expect(silences()).toBe(2)
  })

  it('an action that takes long is said to go on, perhaps, and the process is left to it', async () => {
    const { ask, silences } = await openServed({ answerWithinMs: { look: LONG_MS, act: 100 } })
    const acts = await ask('/desk/slow', { method: 'POST', body: 'name=launch' })
    expect(acts.status).toBe(503)
    expect(await acts.text()).toContain('The action may still be going on')
    expect(acts.headers.get('retry-after')).toBeNull()
    expect(silences()).toBe(0)
    const looks = await ask('/desk/slow')
    expect([looks.status, await looks.text()]).toEqual([200, 'slow'])
    const gone = await ask('/desk/gone', { method: 'HEAD' })
    expect([gone.status, gone.headers.get('retry-after')]).toEqual([503, '2'])
  })

  it('an answer leaves the connection to the next one, and is logged by its method alone', async () => {
    const { onOneLine, connections, logged, idles } = await openServed()
    for (let i = 0; i < 3; i += 1) expect(await onOneLine('/desk/people/ada')).toBe('shown')
    expect(connections()).toBe(1)
    expect(logged()).toContainEqual(
      expect.objectContaining({ method: 'GET', route: '/desk', status: 200, msg: 'answered' }),
    )
    expect(JSON.stringify(logged())).not.toContain('ada')
    // With no request left, the process may rest.
    await expect.poll(idles).toBe(3)
  })

  it('a stream ends properly with its session, although that cannot be written', async () => {
    const { ask } = await openServed({ answerWithinMs: { look: 100, act: LONG_MS } })
    const events = await ask('/desk/events')
    // Longer than an answer may take.
    expect((await ask('/desk/slow')).status).toBe(503)
    const ended = await ask('/desk/end', { method: 'POST' })
    expect(ended.headers.get(deskHeaders.unwrittenEnd)).toBeNull()
    expect(await events.text()).toBe('data: 1\n\ndata: 2\n\n')
    expect((await ask('/desk')).status).toBe(404)
  })

  it('an answer in the middle of which the desk ends is broken off, and looks like no whole one', async () => {
    const { ask } = await openServed()
    const half = await ask('/desk/half')
    await expect(half.text()).rejects.toThrow()
  })

  it('an answer waits for whoever reads it, and is kept nowhere meanwhile', async () => {
    const { leaveUnread } = await openServed()
    endless = { bytes: 0 }
    await leaveUnread('/desk/endless')
    let seen = 0
    const isStill = () => {
      const before = seen
      seen = endless.bytes
      return seen > 0 && seen === before
    }
    await expect.poll(isStill, { interval: 200 }).toBe(true)
    expect(seen).toBeLessThan(ENDLESS_BYTES / 2)
  })

  it('a link shows what became of it, and hands the desk its own code alone', async () => {
    const path = tokens.make('link')
    const link = { id: String(tokens.idOf('link', path)), madeAt: Date.now() }
    const young = { ...link, secretHash: hashOfSecret('abc'), until: Date.now() + LONG_MS }
    const open = (more: object) =>
      openServed({ state: { sessions: [], links: [{ ...young, ...more }] } })
    const { ask } = await open({})
    const post = (code: string) => ask(`/desk/${path}`, { method: 'POST', body: `code=${code}` })
    for (const [answer, status, page] of [
      [await ask(`/desk/${path}`), 200, 'open'],
      [await ask(`/desk/${path}`, { method: 'HEAD' }), 200, ''],
      [await ask(`/desk/${path}`, { method: 'PUT', body: 'code=abc' }), 404, ''],
      [await post('abd'), 403, 'wrong-code'],
      [await post('x'.repeat(5000)), 413, expect.stringContaining('That is too long')],
      [await post('abc'), 200, 'shown'],
    ] as const)
      expect([answer.status, await answer.text()]).toEqual([status, page])
    for (const [more, page] of [
      [{ isUsed: true }, 'used'],
      [{ until: Date.now() }, 'too-old'],
    ] as const) {
      const later = await open(more)
      const posted = await later.ask(`/desk/${path}`, { method: 'POST', body: 'code=abc' })
      expect([posted.status, await posted.text()]).toEqual([410, page])
    }
  })

  it('a fault of ours is logged, and answered as an outage', async () => {
    const { ask, logged } = await openServed({
      read: () => Promise.reject(new TypeError('no such column')),
    })
    expect((await ask('/desk')).status).toBe(503)
    expect(logged()).toMatchObject([{ msg: 'the desk failed', err: { type: 'TypeError' } }])
  })
})

/** The last stream of events. */
let openEvents: Http2ServerResponse | undefined

/** How much of an endless answer was taken, and after how much it ends all the same. */
let endless = { bytes: 0 }
const ENDLESS_BYTES = 128 * 1024 * 1024

function answerEndlessly(response: Http2ServerResponse) {
  const taken = endless
  const chunk = Buffer.alloc(64 * 1024)
  const more = () => {
    let isTaken = true
    while (isTaken && taken.bytes < ENDLESS_BYTES) {
      isTaken = response.write(chunk)
      taken.bytes += chunk.length
    }
    if (isTaken) response.end()
  }
  response.on('drain', more)
  more()
}

/** What a desk in this process answers, by path. */
function desk(request: Http2ServerRequest, response: Http2ServerResponse) {
  if (request.url === '/desk/slow') setTimeout(() => response.end('slow'), 300)
  else if (request.url === '/desk/gone') response.stream.close()
  else if (request.url === '/desk/endless') answerEndlessly(response)
  else if (request.url === '/desk/half') {
    response.write('half')
    setTimeout(() => response.stream.close(2), 50)
  } else if (request.url === '/desk/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: 1\n\n')
    openEvents = response
  } else if (request.url === '/desk/end') {
    openEvents?.write('data: 2\n\n')
    response.writeHead(200, { [deskHeaders.unwrittenEnd]: request.headers[deskHeaders.id] })
    response.end()
  } else response.end('shown')
}

interface Served {
  readonly answerWithinMs?: { readonly look: number; readonly act: number }
  readonly state?: Partial<DeskAccessState>
  readonly read?: () => Promise<DeskAccessState>
}

/** A gate before `desk`, asked by somebody with a session. */
async function openServed({ answerWithinMs, state, read }: Served = {}) {
  const { cookie, row } = session()
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const doors = join(tempDir(), 'doors.json')
  const door = (name: string) => [name, { html: name, policy: "default-src 'none'" }] as const
  const doorNames = ['open', 'used', 'too-old', 'wrong-code']
  writeFileSync(doors, JSON.stringify(Object.fromEntries(doorNames.map(door))))
  const [behind, port] = await listening(createHttp2Server(desk))
  const line = connect(`http://127.0.0.1:${port}`)
  let [silences, idles] = [0, 0]
  const gate = deskGate({
    access: {
      read: read ?? (async () => ({ ...nobodyAtTheDesk, sessions: [row], ...state })),
      change: () => Promise.reject(new StoreUnavailable('full')),
    },
    doors,
    process: {
      connect: () => line,
      isWell() {},
      isSilent() {
        silences += 1
      },
      isIdle() {
        idles += 1
      },
      close: async () => line.destroy(),
    },
    linkKey,
    appId,
    publicUrl: null,
    log,
    ...(answerWithinMs && { answerWithinMs }),
  })
  let connections = 0
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const [server, ours] = await listening(
    createServer((request, response) => {
      const otherwise = () => response.writeHead(404).end()
      if (!gate.take(request, response, otherwise)) otherwise()
    }).on('connection', () => {
      connections += 1
    }),
  )
  onTestFinished(async () => {
    agent.destroy()
    await gate.close()
    server.close()
    behind.close()
  })
  return {
    ask: (path: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${ours}${path}`, { ...init, headers: { cookie } }),
    /** Asks by the connection that is there, and waits for it. */
    async onOneLine(path: string) {
      const asked = get(`http://127.0.0.1:${ours}${path}`, { agent, headers: { cookie } })
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      return text(answer)
    },
    /** Asks, and reads nothing of the answer. */
    async leaveUnread(path: string) {
      const asked = get(`http://127.0.0.1:${ours}${path}`, { agent: false, headers: { cookie } })
      onTestFinished(() => void asked.destroy())
      await once(asked, 'response')
    },
    silences: () => silences,
    idles: () => idles,
    connections: () => connections,
    logged: () => lines.map((one) => JSON.parse(one)),
  }
}

/** @returns the server, and the port where it listens. */
async function listening<T extends Server | Http2Server>(server: T) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return [server, (server.address() as AddressInfo).port] as const
}
