import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deskTokens } from '../../../src/keys/desk-tokens.ts'
import { deskGate } from '../../../src/server/desk-gate.ts'
import { type DeskProcess, deskProcess } from '../../../src/server/desk-process.ts'
import { type DeskAccessState, nobodyAtTheDesk } from '../../../src/store/desk-access.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'
import { linkKey } from '../../fixtures/keys.ts'

const tokens = deskTokens(linkKey)

/** A gate over a store that counts how often it is read, where each look is paid for. */
function openGate(
  read: () => Promise<DeskAccessState>,
  believedMs = 5000,
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
    publicUrl: null,
    log: pino({ level: 'silent' }),
    believedMs,
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
  return { cookie: `desk=${token}`, row: { ...row, by: 'link' as const } }
}

describe('the gate of the desk', () => {
  it('looks nothing up for what we have not signed', async () => {
    const { ask, reads } = openGate(async () => nobodyAtTheDesk)
    const other = deskTokens(Buffer.from('a key of another installation, as long')).make('session')
    for (const cookie of [undefined, `desk=${other}`, `desk=${tokens.make('link')}`])
      for (const path of ['/desk', `/desk/${other}`, `/desk/${tokens.make('device')}`])
        expect(await ask(path, cookie)).toBe('unknown')
    expect(reads()).toBe(0)
  })

  it('believes for some seconds what it has read, where each look is paid for', async () => {
    const { cookie, row } = session()
    const { ask, reads } = openGate(async () => ({ ...nobodyAtTheDesk, sessions: [row] }))
    // 503: this one has no desk behind it.
    for (let i = 0; i < 50; i += 1) expect(await ask('/desk', cookie)).toBe(503)
    expect(reads()).toBe(1)
  })

  it('lets in at once who has just been given a session, and looks seldom for who has none', async () => {
    const { cookie, row } = session()
    let state = nobodyAtTheDesk
    const { ask, reads } = openGate(async () => state)
    expect(await ask('/desk', session().cookie)).toBe('unknown')
    state = { ...nobodyAtTheDesk, sessions: [row] }
    expect(await ask('/desk', cookie)).toBe(503)
    const before = reads()
    // A session that was, asked for again and again.
    const asked = await Promise.all(
      Array.from({ length: 500 }, () => ask('/desk', session().cookie)),
    )
    expect(new Set(asked)).toEqual(new Set(['unknown']))
    expect(reads() - before).toBeLessThan(3)
  })

  it('reads each time where that costs nothing, so that an end is one at once', async () => {
    const { cookie, row } = session()
    let state: DeskAccessState = { ...nobodyAtTheDesk, sessions: [row] }
    const { ask } = openGate(async () => state, 0)
    expect(await ask('/desk', cookie)).toBe(503)
    state = nobodyAtTheDesk
    expect(await ask('/desk', cookie)).toBe('unknown')
  })

  it('lets a page of another site lead to it, and load nothing of it', async () => {
    const { cookie, row } = session()
    const { ask } = openGate(async () => ({ ...nobodyAtTheDesk, sessions: [row] }), 0)
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
    expect(await from('same-origin', 'cors', 'empty')).toBe(503)
    expect(await from('none', 'navigate', 'document')).toBe(503)
  })

  it('lets one session ask so often, and another one all the same', async () => {
    const [one, other] = [session(), session()]
    const { ask } = openGate(async () => ({ ...nobodyAtTheDesk, sessions: [one.row, other.row] }))
    const asked: unknown[] = []
    for (let i = 0; i < 1500; i += 1) asked.push(await ask('/desk', one.cookie))
    expect(asked.filter((status) => status === 503).length).toBeGreaterThanOrEqual(400)
    expect(asked.at(-1)).toBe(429)
    expect(await ask('/desk', other.cookie)).toBe(503)
  })

  it('keeps places for who signs in, and for sessions, however many of the others are waiting', async () => {
    const [{ cookie, row }, other] = [session(), session()]
    const token = tokens.make('device')
    const deviceId = String(tokens.idOf('device', token))
    const passkey = { id: 'x', publicKey: '', counter: 0, name: 'x', addedAt: 0, deviceId }
    const state = { ...nobodyAtTheDesk, sessions: [row, other.row], passkeys: [passkey] }
    let waiting = 0
    const stream = { on: () => stream, close() {}, end() {}, unpipe() {} }
    const request = () => {
      waiting += 1
      return stream
    }
    const { ask } = openGate(
      async () => state as never,
      5000,
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
    expect(await more(`desk-device=${token}`, 30)).toBe(20)
    // A hundred of sessions in all, whatever waits beside them.
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

describe('what the desk takes long for', () => {
  const LONG_MS = 60_000

  it('is waited for where it does something, and not where it only shows something', async () => {
    const { ask, silences } = await openSlow({ look: 100, act: LONG_MS })
    const acts = await ask('POST')
    expect([acts.status, await acts.text()]).toEqual([200, 'slow'])
    expect(silences()).toBe(0)
    expect((await ask('GET')).status).toBe(503)
    expect(silences()).toBe(1)
  })

  it('is said to go on, perhaps, and its process is left to it', async () => {
    const { ask, silences } = await openSlow({ look: LONG_MS, act: 100 })
    const acts = await ask('POST')
    expect(acts.status).toBe(503)
    expect(await acts.text()).toContain('The action may still be going on')
    expect(acts.headers.get('retry-after')).toBeNull()
    expect(silences()).toBe(0)
    const looks = await ask('GET')
    expect([looks.status, await looks.text()]).toEqual([200, 'slow'])
  })
})

/** A gate before `streaming-desk.ts`, whose `/desk/slow` takes 300 ms. */
async function openSlow(answerWithinMs: { look: number; act: number }) {
  const { cookie, row } = session()
  const log = pino({ level: 'silent' })
  const program = [process.execPath, join(import.meta.dirname, 'streaming-desk.ts')]
  let silences = 0
  const gate = deskGate({
    access: {
      read: async () => ({ ...nobodyAtTheDesk, sessions: [row] }),
      change: () => Promise.reject(new StoreUnavailable('full')),
    },
    doors: '',
    process: {
      ...deskProcess({ program, log }),
      isSilent() {
        silences += 1
      },
    },
    linkKey,
    publicUrl: null,
    log,
    believedMs: 0,
    answerWithinMs,
  })
  const server = createServer((request, response) => {
    gate.take(request, response, () => response.writeHead(404).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    await gate.close()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const ask = (method: 'GET' | 'POST') =>
    fetch(`http://127.0.0.1:${port}/desk/slow`, {
      method,
      headers: { cookie },
      ...(method === 'POST' && { body: 'name=launch' }),
    })
  return { ask, silences: () => silences }
}
