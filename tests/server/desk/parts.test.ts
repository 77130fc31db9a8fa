import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  endAllSessions,
  endSession,
  makeLink,
  newSession,
  openWithLink,
  renewSession,
  SESSION_MS,
} from '../../../src/desk/access/sessions.ts'
import { deskHeaders } from '../../../src/desk/contract/visitor.ts'
import { deskTokens } from '../../../src/keys/desk-tokens.ts'
import { sayPlainly } from '../../../src/server/desk-answers.ts'
import { unwrittenEnds } from '../../../src/server/desk-ends.ts'
import { deskProcess } from '../../../src/server/desk-process.ts'
import {
  codeIn,
  type DeskPass,
  forwarded,
  hasBody,
  isFromElsewhere,
} from '../../../src/server/desk-requests.ts'
import { type DeskAccessState, nobodyAtTheDesk } from '../../../src/store/desk-access.ts'
import type { DeskAccess } from '../../../src/store/store.ts'
import { linkKey } from '../../fixtures/keys.ts'

const asked = (more: object) =>
  ({ method: 'GET', headers: {}, complete: true, ...more }) as IncomingMessage

/** An answer that keeps what was written. */
function answer() {
  const written: { status?: number; headers?: Record<string, unknown>; body?: string } = {}
  const response = {
    headersSent: false,
    destroyed: false,
    writeHead(status: number, headers: Record<string, unknown>) {
      Object.assign(written, { status, headers })
    },
    end(body: string | Buffer) {
      written.body = String(body)
    },
  }
  return { written, response: response as unknown as ServerResponse }
}

/** Who may open the desk, in memory. */
function access(state: Partial<DeskAccessState> = {}) {
  let found: DeskAccessState = { ...nobodyAtTheDesk, ...state }
  const desk: DeskAccess = {
    read: async () => found,
    async change(decide) {
      const { result, state } = decide(found, Date.now())
      found = state ?? found
      return result
    },
  }
  return { desk, found: () => found }
}

it('the desk gets of a request what it reads, who asks, and nothing else', () => {
  const headers = {
    host: 'example.com',
    cookie: 'desk=x',
    origin: 'https://example.com',
    'user-agent': 'Firefox',
    'accept-encoding': 'br',
    'content-type': 'text/plain',
    'sec-fetch-site': 'same-origin',
    'x-csrf': 'token',
    authorization: 'secret',
    [deskHeaders.by]: 'session',
    [deskHeaders.id]: 'forged',
  }
  const pass = { by: 'session', id: 'me', usedAt: 7, found: nobodyAtTheDesk } as DeskPass
  const given = { method: 'POST', url: '/desk/x', headers }
  expect(forwarded(pass, given as unknown as IncomingMessage, Buffer.from('abc'))).toEqual({
    cookie: 'desk=x',
    origin: 'https://example.com',
    'user-agent': 'Firefox',
    'accept-encoding': 'br',
    'content-type': 'text/plain',
    'sec-fetch-site': 'same-origin',
    'x-csrf': 'token',
    'content-length': 3,
    ':method': 'POST',
    ':path': '/desk/x',
    ':authority': 'example.com',
    [deskHeaders.by]: 'session',
    [deskHeaders.id]: 'me',
    [deskHeaders.usedAt]: '7',
  })
  const link = { by: 'link', id: 'l', found: nobodyAtTheDesk } as DeskPass
  expect(forwarded(link, asked({ url: '/desk' }), Buffer.of())).toEqual({
    ':method': 'GET',
    ':path': '/desk',
    ':authority': '',
    [deskHeaders.by]: 'link',
    [deskHeaders.id]: 'l',
  })
})

it('a body is there where it is announced, and the code of a link in it', () => {
  const has = (headers: object) => hasBody(asked({ headers }))
  expect([has({}), has({ 'content-length': '0' }), has({ 'content-length': '7' })]).toEqual([
    false,
    false,
    true,
  ])
  expect(has({ 'transfer-encoding': 'chunked' })).toBe(true)
  const code = (text: string) => codeIn(Buffer.from(text))
  expect([
    code('code=abc&x=y'),
    code('code=https%3A%2F%2Fa.example%2Fdesk%2Fx%23abc'),
    code('x=y'),
    code(''),
  ]).toEqual(['abc', 'abc', '', ''])
})

describe('a page of ours outside of the desk', () => {
  const host = 'example.com'
  const at = (path: string) => ({ host, referer: `https://example.com${path}` })
  const ours = (mode: string, dest?: string) => ({
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': mode,
    ...(dest && { 'sec-fetch-dest': dest }),
  })
  const is = (headers: object, url = '/desk/people', method = 'GET', key?: string) =>
    isFromElsewhere(asked({ method, url, headers }), key)

  it.each(['/', '/de/', '/press/x.html', '/deskx', '/desk.html', '/confirm/abc'])(
    'leads nobody there, and posts nothing: %s',
    (path) => {
      for (const method of ['GET', 'HEAD', 'POST']) {
        expect(is({ ...at(path), ...ours('navigate', 'document') }, '/desk', method)).toBe(true)
        // A browser on plain http says nothing else.
        expect(is(at(path), '/desk', method)).toBe(true)
      }
    },
  )

  it('reads nothing, whatever page its script says it is', () => {
    for (const referer of [{}, at('/'), at('/desk'), at('/desk/people')])
      for (const dest of ['empty', 'image', 'script', 'style', undefined])
        for (const url of ['/desk', '/desk/people', '/desk/events?of=today', '/desk/events?key='])
          expect(is({ ...referer, ...ours('cors', dest) }, url, 'GET', 'key'), url).toBe(true)
    expect(is(ours('cors'), '/desk/events?key=undefined&of=today')).toBe(true)
    expect(is(ours('no-cors', 'empty'), '/desk/events?key=other&of=today', 'GET', 'key')).toBe(true)
  })

  it('is not taken for one of the desk, or for another site’s that has a link', () => {
    const desk = at('/desk/people?standing=pending')
    expect(is({ ...desk, ...ours('navigate', 'document') })).toBe(false)
    expect(is({ ...at('/desk'), ...ours('navigate', 'iframe') }, '/desk/letters/x/html')).toBe(
      false,
    )
    expect(is({ ...desk, ...ours('cors', 'empty') }, '/desk/people/search', 'POST')).toBe(false)
    expect(is({ ...desk, ...ours('no-cors', 'script') }, '/desk/files/main.js')).toBe(false)
    expect(is({ ...desk, ...ours('cors') }, '/desk/events?key=k&of=today', 'GET', 'k')).toBe(false)
    expect(is({ host, referer: 'http://chat.example/' })).toBe(false)
    expect(is({ host, referer: 'no address' })).toBe(false)
  })
})

describe('the server’s own answers at the desk', () => {
  const say = (what: Parameters<typeof sayPlainly>[2]) => {
    const { written, response } = answer()
    sayPlainly(asked({}), response, what)
    return written
  }

  it('have a sentence, and a time where it is worth trying again soon', () => {
    for (const [what, status, title, retry] of [
      ['unreachable', 503, 'The desk cannot be reached', '2'],
      ['unanswered', 503, 'The desk has not answered', undefined],
      [408, 408, 'That came too slowly', undefined],
      [413, 413, 'That is too long', undefined],
      [429, 429, 'Too many requests', '2'],
      [503, 503, 'Too much arrives at once', undefined],
    ] as const) {
      const { status: given, headers, body = '' } = say(what)
      expect([given, headers?.['retry-after']], String(what)).toEqual([status, retry])
      expect(body).toMatch(new RegExp(`<h1>${title}</h1><p>\\w.*\\.</p>$`))
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'content-length': Buffer.byteLength(body),
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
      expect(headers).not.toHaveProperty('connection')
    }
  })

  it('are not given twice, nor to who has left', () => {
    for (const gone of [{ headersSent: true }, { destroyed: true }]) {
      const { written, response } = answer()
      sayPlainly(asked({}), Object.assign(response, gone), 408)
      expect(written).toEqual({})
    }
  })
})

it('what ended and cannot be written is ended here, and written as soon as that is possible', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const sessions = ['one', 'two'].map((id) => newSession(id, 'x', Date.now()))
  const { desk, found } = access({ sessions })
  const said: string[] = []
  let tries = 0
  let isFull = true
  const ends = unwrittenEnds(
    {
      change: (decide) => {
        tries += 1
        return isFull ? Promise.reject(new Error('full')) : desk.change(decide)
      },
    },
    { warn: (text: string) => said.push(text), error: () => {} } as never,
  )
  expect(ends.in(found())).toBe(found())
  ends.add(['one'])
  expect(ends.in(found()).sessions.map(({ id }) => id)).toEqual(['two'])
  expect(found().sessions).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(4100)
  expect(tries).toBe(2)
  isFull = false
  await vi.advanceTimersByTimeAsync(2000)
  expect(found().sessions.map(({ id }) => id)).toEqual(['two'])
  expect(said).toEqual(['The sessions and links that ended at the desk are written now.'])
  // Nothing is left to be written.
  await vi.advanceTimersByTimeAsync(20_000)
  await ends.close()
  expect(tries).toBe(3)
  ends.add(['two'])
  await ends.close()
  expect(found().sessions).toEqual([])
})

describe('the process of the desk', () => {
  it('is not ended for its silence where it only takes long', async () => {
    const log = { error() {} } as never
    const program = [process.execPath, join(import.meta.dirname, 'streaming-desk.ts')]
    const desk = deskProcess({ program, log })
    onTestFinished(() => {
      vi.useRealTimers()
      return desk.close()
    })
    await once(desk.connect() ?? process, 'remoteSettings')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    desk.isSilent()
    expect(vi.getTimerCount()).toBe(1)
    // It answers that it is there.
    const until = performance.now() + 20_000
    while (vi.getTimerCount() > 0 && performance.now() < until)
      await new Promise((resolve) => setImmediate(resolve))
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a link and its session', () => {
  it('opens once, with its own code, while it is young', async () => {
    const { desk, found } = access()
    const { path, secret } = await makeLink(desk, linkKey)
    const linkId = String(deskTokens(linkKey).idOf('link', path))
    const use = (more: object = {}) =>
      openWithLink(desk, linkKey, { linkId, secret, device: 'Chrome', ...more })
    expect(await use({ linkId: 'other' })).toEqual({ outcome: 'unknown' })
    for (const wrong of ['', 'other', secret.slice(1), `${secret}x`, secret.toUpperCase(), path])
      expect(await use({ secret: wrong })).toEqual({ outcome: 'wrong-code' })
    expect(await use()).toEqual({ outcome: 'opened', token: expect.stringMatching(/^[\w-]{65}$/) })
    expect(await use()).toEqual({ outcome: 'used' })
    const [one] = found().sessions
    expect(one).toMatchObject({ device: 'Chrome' })
    expect(Number(one?.until) - Number(one?.begunAt)).toBe(SESSION_MS)
    const late = await makeLink(desk, linkKey)
    await desk.change((state) => ({
      result: undefined,
      state: { ...state, links: state.links.map((link) => ({ ...link, until: Date.now() })) },
    }))
    const lateId = String(deskTokens(linkKey).idOf('link', late.path))
    expect(await use({ linkId: lateId, secret: late.secret })).toEqual({ outcome: 'too-old' })
  })

  it('is one of twenty links and fifty sessions at most, the last ones', async () => {
    const { desk, found } = access()
    for (let n = 0; n < 22; n += 1) await makeLink(desk, linkKey)
    expect(found().links).toHaveLength(20)
    const many = Array.from({ length: 50 }, (_, n) => newSession(`s${n}`, 'x', Date.now()))
    const full = access({ sessions: many })
    const { path, secret } = await makeLink(full.desk, linkKey)
    const linkId = String(deskTokens(linkKey).idOf('link', path))
    await openWithLink(full.desk, linkKey, { linkId, secret, device: 'new' })
    const ids = full.found().sessions.map(({ id }) => id)
    expect(ids).toHaveLength(50)
    expect([ids.includes('s0'), ids.includes('s1')]).toEqual([false, true])
  })

  it('is renewed, and ended', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const now = Date.now()
    const session = (id: string, until: number) => ({ ...newSession(id, 'x', 0), until })
    const sessions = [session('open', now + 60_000), session('over', now)]
    const { desk, found } = access({ sessions })
    await renewSession(desk, 'open')
    expect(found().sessions[0]?.usedAt).toBeGreaterThanOrEqual(now)
    expect(found().sessions[1]?.usedAt).toBe(0)
    for (const id of ['none', 'over']) await endSession(desk, id)
    expect(found().sessions.map(({ id }) => id)).toEqual(['open'])
    expect(await endAllSessions(desk)).toBe(1)
    expect(found()).toEqual(nobodyAtTheDesk)
  })
})
