import { describe, expect, it } from 'vitest'
import { webHook } from '../../src/queue/web-hook.ts'
import { type Answering, answering, startReceiver, takes } from '../fixtures/receiver.ts'

const now = new Date('2026-03-01T09:00:00.000Z')
const HOUR = 3_600_000
const gone = [404, 410]
const path = '/TOP-SECRET'

async function answerTo(answer: Answering, withinMs = 60_000) {
  const { url } = await startReceiver(() => answer, { path })
  return webHook({ url, gone, withinMs }).post('{}', {}, now)
}

describe('a receiver', () => {
  it.each([200, 204, 299])('that answers %s has taken it', async (status) => {
    expect(await answerTo(answering(status))).toEqual({ kind: 'taken' })
  })

  it.each([
    [400, { isAway: false }],
    [422, { isAway: false }],
    [300, { isAway: true }],
    [401, { isAway: true }],
    [403, { isAway: true }],
    [404, { isAway: true, isGone: true }],
    [405, { isAway: true }],
    [408, { isAway: true }],
    [410, { isAway: true, isGone: true }],
    [425, { isAway: true }],
    [429, { isAway: true }],
    [500, { isAway: true }],
  ] as const)(
    'that answers %s has failed, and nothing that it says is kept',
    async (status, more) => {
      const answer = await answerTo(answering(status, {}, 'ada@example.com \u001b[31m TOP-SECRET'))
      expect(answer).toEqual({ kind: 'failed', failure: String(status), ...more })
    },
  )

  it.for([
    ['3600', HOUR],
    ['Sun, 01 Mar 2026 10:00:00 GMT', HOUR],
    [String(365 * 24 * 3600), 365 * 24 * HOUR],
    ['Sun, 01 Mar 2020 10:00:00 GMT', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['9'.repeat(40), undefined],
  ] as const)(
    'that wants to be left alone by Retry-After: %s is heard',
    async ([value, waitMs]) => {
      const answer = await answerTo(answering(429, { 'retry-after': value }))
      expect(answer).toEqual({ kind: 'failed', failure: '429', waitMs, isAway: true })
    },
  )

  it('that has not answered when all is closed is stopped', async () => {
    const came = Promise.withResolvers<void>()
    const { url } = await startReceiver(() => () => came.resolve())
    const { host, post, close } = webHook({ url, gone })
    expect(host).toBe(new URL(url).host)
    const answer = post('{}', {}, now)
    await came.promise
    close()
    expect(await answer).toEqual({ kind: 'stopped' })
  })
})

describe('a hostile receiver', () => {
  it('that redirects is not followed', async () => {
    const other = await startReceiver()
    for (const status of [301, 302, 303, 307, 308])
      expect(await answerTo(answering(status, { location: other.url }))).toEqual({
        kind: 'failed',
        isAway: true,
        failure: String(status),
      })
    expect(other.requests).toEqual([])
  })

  it('that never ends its answer is left at once', async () => {
    const closed = Promise.withResolvers<void>()
    const endless: Answering = (response) => {
      response.writeHead(500)
      response.on('close', closed.resolve)
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      }
      response.on('drain', more)
      more()
    }
    // Its time is not what ends it.
    expect(await answerTo(endless)).toMatchObject({ kind: 'failed', failure: '500' })
    await closed.promise
  })

  it('that takes it and never ends its answer has taken it', async () => {
    const endless: Answering = (response) => response.writeHead(200).write('x')
    expect(await answerTo(endless)).toEqual({ kind: 'taken' })
  })

  it('that says nothing at all is left when its time is up', async () => {
    expect(await answerTo(() => {}, 400)).toEqual({
      kind: 'failed',
      isAway: true,
      failure: 'no answer within 0.4 s',
    })
  })

  it.for([
    ['garbage', 'a\0b\r\n\r\n'],
    ['an endless head', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(200_000)}`],
    ['a status of its own', 'HTTP/1.1 999 What\r\ncontent-length: 0\r\n\r\n'],
  ] as const)('that answers with %s has failed, and its URL is not repeated', async ([, bytes]) => {
    const answer = await answerTo((response) => response.socket?.end(bytes))
    expect(answer.kind).toBe('failed')
    expect(JSON.stringify(answer)).not.toContain('SECRET')
  })

  it('that is not there has failed', async () => {
    const { url, close } = await startReceiver(() => takes)
    await close()
    expect(await webHook({ url, gone }).post('{}', {}, now)).toEqual({
      kind: 'failed',
      isAway: true,
      failure: 'no answer: ECONNREFUSED',
    })
  })
})
