import { describe, expect, it } from 'vitest'
import { paths } from '../src/shared/api.ts'
import { ask, openApp, postForm, signIn, subscribe } from './app-fixture.ts'

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
    expect(await store.count()).toBe(3)
  })

  it('turns nobody away from the page', async () => {
    const { app } = await openApp({ rateLimit: 1 })
    const headers = await signIn(app)
    for (let i = 0; i < 5; i++) await subscribe(app, headers, 'visitor@example.com')
    for (const url of ['/', paths.config, paths.session, '/healthz'])
      expect((await ask(app, { url })).statusCode, url).toBe(200)
  })

  it('can be turned off', async () => {
    const { app, store } = await openApp({ rateLimit: 0 })
    const headers = await signIn(app)
    for (let i = 0; i < 300; i++) await subscribe(app, headers, `visitor${i}@example.com`)
    expect(await store.count()).toBe(300)
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

  it('counts each address for itself', async () => {
    const visitors = [{ from: '198.51.100.1' }, { from: '198.51.100.2' }, { from: '198.51.100.1' }]
    expect(await letIn([], visitors)).toEqual([201, 201, 429])
  })

  it('counts a whole IPv6 network as one, and the next one for itself', async () => {
    const visitors = [
      { from: '2001:db8:1:1::1' },
      { from: '2001:db8:1:1:ffff::2' },
      { from: '2001:db8:1:2::1' },
    ]
    expect(await letIn([], visitors)).toEqual([201, 429, 201])
  })

  it('counts an IPv4 address as the same however it is written', async () => {
    const visitors = [{ from: '198.51.100.1' }, { from: '::ffff:198.51.100.1' }]
    expect(await letIn([], visitors)).toEqual([201, 429])
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

  it('believes a chain of its proxies as far as it knows them', async () => {
    const visitors = [
      { from: '127.0.0.1', forwarded: '203.0.113.1, 10.1.2.3' },
      { from: '127.0.0.1', forwarded: '203.0.113.2, 10.1.2.3' },
      { from: '127.0.0.1', forwarded: '203.0.113.1, 192.0.2.1' },
      { from: '127.0.0.1', forwarded: '203.0.113.2, 192.0.2.1' },
    ]
    expect(await letIn(['127.0.0.1', '10.0.0.0/8'], visitors)).toEqual([201, 201, 201, 429])
  })

  it('does not believe who comes past the proxy', async () => {
    const visitors = [
      { from: '198.51.100.1', forwarded: '203.0.113.1' },
      { from: '198.51.100.1', forwarded: '203.0.113.2' },
    ]
    expect(await letIn(['loopback'], visitors)).toEqual([201, 429])
  })

  it.each([
    '',
    ',',
    'unknown',
    '1.2.3.4:5678',
    '[2001:db8::1]:80',
    'fe80::1%eth0',
    '::ffff:1.2.3.4',
    'a@b.co',
  ])('survives a forwarded address that is none: "%s"', async (forwarded) => {
    const visitors = [{ from: '127.0.0.1', forwarded }]
    expect(await letIn(['loopback'], visitors)).toEqual([201])
  })
})
