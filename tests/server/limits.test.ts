import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { visitorLimits } from '../../src/server/http/rate-limits.ts'
import { Refusal } from '../../src/server/http/refusal.ts'
import { paths } from '../../src/shared/api.ts'
import {
  ask,
  notingStore,
  openApp,
  openSince,
  postForm,
  signIn,
  subscribe,
} from '../fixtures/app.ts'

describe('the limit of sign-ups from one address', () => {
  it('counts those of the page and of the form together, and says when to come back', async () => {
    const { app, store } = await openApp({ rateLimit: 3 })
    const headers = await signIn(app)
    expect((await subscribe(app, headers, 'one@example.com')).statusCode).toBe(201)
    expect((await postForm(app, { email: 'two@example.com' })).statusCode).toBe(303)
    expect((await subscribe(app, headers, 'three@example.com')).statusCode).toBe(201)
    const answer = await subscribe(app, headers, 'four@example.com')
    expect(answer.statusCode).toBe(429)
    expect(answer.json()).toEqual({ error: 'too-many-requests' })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect((await postForm(app, { email: 'five@example.com' })).statusCode).toBe(429)
    expect(await store.list.count()).toBe(3)
  })

  it('turns nobody away from the page', async () => {
    const { app } = await openApp({ rateLimit: 1 })
    const headers = await signIn(app)
    for (let i = 0; i < 5; i++) await subscribe(app, headers, 'visitor@example.com')
    for (const url of ['/', paths.config, paths.session, '/healthz'])
      expect((await ask(app, { url })).statusCode, url).toBe(200)
  })

  /** How many of these visitors, one a row, are let in when each address may sign up once. */
  async function letIn(trustProxy: string[], visitors: { from: string; forwarded?: string }[]) {
    const { app } = await openApp({ rateLimit: 1, trustProxy })
    const headers = await signIn(app)
    const statuses = []
    for (const { from, forwarded } of visitors) {
      const sent = forwarded === undefined ? headers : { ...headers, 'x-forwarded-for': forwarded }
      const options = { remoteAddress: from }
      statuses.push((await subscribe(app, sent, 'visitor@example.com', options)).statusCode)
    }
    return statuses
  }

  it('counts the 50 000 that came last: no flood fills the memory', {
    tags: 'thorough',
  }, async () => {
    let address = ''
    const { perMinute } = visitorLimits({ rateLimit: 1, rateLimitDay: 0 }, () => address)
    const request = new IncomingMessage(new Socket())
    const from = (n: number) => {
      address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`
      perMinute(request, new ServerResponse(request))
    }
    for (let n = 0; n <= 50_000; n += 1) from(n)
    expect(() => from(1)).toThrow(Refusal)
    expect(() => from(0)).not.toThrow()
  })

  it('counts a whole IPv6 network as one, and the next one for itself', async () => {
    const visitors = [
      { from: '2001:db8:1:1::1' },
      { from: '2001:db8:1:1:ffff::2' },
      { from: '2001:db8:1:2::1' },
    ]
    expect(await letIn([], visitors)).toEqual([201, 429, 201])
  })

  it('believes no forwarded address unless told of a proxy', async () => {
    const visitors = [
      { from: '198.51.100.1', forwarded: '203.0.113.1' },
      { from: '198.51.100.1', forwarded: '203.0.113.2' },
    ]
    expect(await letIn([], visitors)).toEqual([201, 429])
  })

  it('believes what its proxy adds, and not what a visitor wrote before it', async () => {
    const visitors = [
      { from: '127.0.0.1', forwarded: '203.0.113.1' },
      { from: '127.0.0.1', forwarded: '203.0.113.2' },
      { from: '127.0.0.1', forwarded: '198.51.100.9, 203.0.113.1' },
      { from: '127.0.0.1', forwarded: '127.0.0.1, 203.0.113.1' },
    ]
    expect(await letIn(['loopback'], visitors)).toEqual([201, 201, 429, 429])
  })

  it('believes a chain of its proxies as far as it knows them, also where they write ports', async () => {
    const visitors = [
      { from: '::ffff:127.0.0.1', forwarded: '203.0.113.1:5555, 10.1.2.3:80' },
      { from: '127.0.0.1', forwarded: '203.0.113.2:5555, [::ffff:10.1.2.3]:80' },
      { from: '127.0.0.1', forwarded: '203.0.113.1, 192.0.2.1' },
      { from: '127.0.0.1', forwarded: '203.0.113.2, 192.0.2.1' },
    ]
    expect(await letIn(['127.0.0.1', '10.0.0.0/8'], visitors)).toEqual([201, 201, 201, 429])
  })

  it('sees each visitor behind NAT64', async () => {
    const visitors = ['64:ff9b::cb00:7103', '203.0.113.3', '64:ff9b::cb00:7104']
    expect(
      await letIn(
        [],
        visitors.map((from) => ({ from })),
      ),
    ).toEqual([201, 429, 201])
  })

  it('takes nobody for a proxy at the NAT64 form of its address', async () => {
    const visitors = [
      { from: '64:ff9b::7f00:1', forwarded: '203.0.113.1' },
      { from: '64:ff9b::7f00:1', forwarded: '203.0.113.2' },
    ]
    expect(await letIn(['loopback'], visitors)).toEqual([201, 429])
  })
})

describe('the limit of sign-ups from one network in a day', () => {
  async function openNoted(limits: { rateLimit?: number; rateLimitDay: number }) {
    const { notes, store } = notingStore()
    const { app } = await openApp({ ...limits, store })
    let count = 0
    /** What comes of a sign-up: its status, and its signs where it was kept. */
    const signUp = async (from = '198.51.100.1', email = `visitor${count++}@example.com`) => {
      const before = notes.length
      const headers = openSince(60_000)
      const { statusCode } = await subscribe(app, headers, email, { remoteAddress: from })
      return notes.length > before ? (notes.at(-1)?.suspicion ?? 'kept') : statusCode
    }
    return { app, signUp }
  }

  it('quarantines what is beyond it, for an address and for a /48 of IPv6', async () => {
    const { signUp } = await openNoted({ rateLimitDay: 2 })
    const seen = []
    for (const from of ['198.51.100.1', '198.51.100.1', '198.51.100.1', '198.51.100.2'])
      seen.push(await signUp(from))
    for (const network of ['1:1', '1:2', '1:3', '2:1'])
      seen.push(await signUp(`2001:db8:${network}::1`))
    const twice = ['kept', 'kept', 'day-limit', 'kept']
    expect(seen).toEqual([...twice, ...twice])
  })

  it('refuses at ten times that, known addresses and new ones alike, and says when to come back', async () => {
    const { app, signUp } = await openNoted({ rateLimitDay: 2 })
    for (let i = 0; i < 20; i++) expect(await signUp()).toMatch(i < 2 ? /^kept$/ : /^day-limit\b/)
    const options = { remoteAddress: '198.51.100.1' }
    const answers = []
    for (const email of ['visitor0@example.com', 'new@example.com'])
      answers.push(await subscribe(app, openSince(60_000), email, options))
    for (const answer of answers) {
      expect([answer.statusCode, answer.body]).toEqual([429, '{"error":"too-many-requests"}'])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(80_000)
    }
    const form = await postForm(app, { email: 'new@example.com' }, undefined, options)
    expect(form.statusCode).toBe(429)
    expect(await signUp('198.51.100.2')).toBe('kept')
  })

  it('counts no address that is not valid, so that nobody uses it up for their neighbours', async () => {
    const { app, signUp } = await openNoted({ rateLimitDay: 1 })
    for (let i = 0; i < 30; i++) {
      expect(await signUp('2001:db8:1:1::1', 'no address')).toBe(422)
      const options = { remoteAddress: '2001:db8:1:1::1' }
      expect((await postForm(app, { email: '' }, undefined, options)).statusCode).toBe(422)
    }
    expect(await signUp('2001:db8:1:2::1')).toBe('kept')
  })

  it('counts nobody who was refused for the minute, and begins anew after a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { signUp } = await openNoted({ rateLimit: 2, rateLimitDay: 3 })
    const signUps = async (times: number) => {
      const all = []
      for (let i = 0; i < times; i++) all.push(await signUp())
      return all
    }
    expect(await signUps(4)).toEqual(['kept', 'kept', 429, 429])
    vi.setSystemTime(Date.now() + 61_000)
    expect(await signUps(3)).toEqual(['kept', 'day-limit', 429])
    vi.setSystemTime(Date.now() + 24 * 3_600_000)
    expect(await signUps(1)).toEqual(['kept'])
  })
})

describe('forwarded addresses that nobody is told to believe', () => {
  const FORWARDING = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip']

  async function warnings(trustProxy: string[], from: string, headers: Record<string, string>) {
    const { app, logged } = await openApp({ trustProxy })
    for (let i = 0; i < 3; i++)
      await app.inject({ url: paths.session, remoteAddress: from, headers })
    return logged()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level >= 40)
      .map(({ msg }) => msg)
  }

  it.each(FORWARDING)('are said once, with what to set: %s', async (header) => {
    const said = await warnings([], '127.0.0.1', { [header]: '203.0.113.1' })
    expect(said).toEqual([expect.stringContaining('set TRUST_PROXY=loopback')])
    const container = await warnings(['loopback'], '172.17.0.1', { [header]: '203.0.113.1' })
    expect(container).toEqual([expect.stringContaining('set TRUST_PROXY=172.17.0.1')])
  })

  it.each(FORWARDING)(
    'are said without an address when a visitor may have sent %s',
    async (header) => {
      const said = await warnings([], '198.51.100.7', { [header]: '203.0.113.1' })
      expect(said).toEqual([expect.stringContaining('TRUST_PROXY')])
      expect(said.join()).not.toMatch(/198\.51|203\.0/)
    },
  )

  it('are no word worth when the proxy is named, or nothing is forwarded', async () => {
    expect(await warnings(['loopback'], '127.0.0.1', { 'x-forwarded-for': '203.0.113.1' })).toEqual(
      [],
    )
    expect(await warnings([], '127.0.0.1', {})).toEqual([])
  })

  it('are said when the named proxy sends another header than the one that is read', async () => {
    const said = await warnings(['loopback'], '127.0.0.1', { 'x-real-ip': '203.0.113.1' })
    expect(said).toEqual([expect.stringContaining('x-forwarded-for')])
  })
})
