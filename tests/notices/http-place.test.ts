import { describe, expect, it } from 'vitest'
import { type HttpPlaceKind, httpPlace } from '../../src/notices/http-place.ts'
import type { NoticeMessage } from '../../src/notices/place.ts'
import type { Notice } from '../../src/store/notices.ts'
import {
  type Answering,
  answering,
  isSigned,
  noticesIn,
  startReceiver,
  takes,
  webhookSecret,
} from '../fixtures/receiver.ts'

const now = new Date('2026-03-01T09:00:00.000Z')
const HOUR = 3_600_000
const first: Notice = {
  id: 'evt_1',
  number: 1,
  type: 'subscribers.reached',
  at: now,
  data: { number: 1, subscribers: 1 },
}
const message: NoticeMessage = { id: 'evt_1', notices: [first] }
const secrets = [Buffer.from(webhookSecret.slice('whsec_'.length), 'base64')]

const placeAt = (url: string, kind: HttpPlaceKind = 'webhook', withinMs = 400) =>
  httpPlace({
    kind,
    url,
    secrets,
    withinMs,
    name: `${kind}:one`,
    product: 'Meridian',
    zone: 'UTC',
  })

async function answerTo(answer: Answering, kind?: HttpPlaceKind) {
  const receiver = await startReceiver(() => answer)
  return placeAt(receiver.url, kind).send(message, now)
}

describe('a receiver', () => {
  it('gets a message that it can verify, and says that it arrived', async () => {
    const receiver = await startReceiver()
    const place = placeAt(receiver.url)
    expect(await place.send(message, now)).toEqual({ kind: 'taken' })
    const [request] = receiver.requests
    if (!request) throw new Error('nothing came')
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(now.getTime() / 1000),
    })
    expect(isSigned(request)).toBe(true)
    expect(isSigned({ ...request, body: request.body.replace('1', '2') })).toBe(false)
    expect(noticesIn(request)).toMatchObject([{ id: 'evt_1', type: 'subscribers.reached' }])
  })

  it.for(['slack', 'discord'] as const)('by the name of %s gets its format', async (kind) => {
    const receiver = await startReceiver()
    await placeAt(receiver.url, kind).send(message, now)
    const [{ headers, body } = { headers: {}, body: '{}' }] = receiver.requests
    expect(headers).not.toHaveProperty('webhook-signature')
    expect(Object.keys(JSON.parse(body))).toContain(kind === 'slack' ? 'blocks' : 'content')
  })

  it('is called by its host alone: the rest of its URL is a secret', () => {
    const url = 'https://hooks.slack.com/services/secret/of/slack'
    expect(placeAt(url, 'slack').label).toBe('Slack (hooks.slack.com)')
    expect(placeAt('https://example.com/secret').label).toBe('example.com')
  })

  it('that answers 410 is gone, and so is a hook of Slack or Discord that was deleted', async () => {
    const isGone = { kind: 'failed', isAway: true, isGone: true }
    expect(await answerTo(answering(410))).toEqual({ ...isGone, failure: '410' })
    const gone = { ...isGone, failure: '404' }
    for (const kind of ['slack', 'discord'] as const)
      expect(await answerTo(answering(404, {}, 'no_service'), kind)).toEqual(gone)
    for (const status of [300, 404, 500])
      expect(await answerTo(answering(status)), `${status}`).not.toHaveProperty('isGone')
    expect(await answerTo(answering(500), 'slack')).not.toHaveProperty('isGone')
  })

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

  it('that answers anything else has failed, and nothing that it says is kept', async () => {
    expect(await answerTo(answering(500, {}, 'ask ada@example.com\u001b[31m\r\nplease'))).toEqual({
      kind: 'failed',
      failure: '500',
      isAway: true,
    })
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
    const receiver = await startReceiver(() => endless)
    // Its time is not what ends it.
    const answer = await placeAt(receiver.url, 'webhook', 60_000).send(message, now)
    expect(answer).toMatchObject({ kind: 'failed', failure: '500' })
    await closed.promise
  })

  it('that takes it and never ends its answer has taken it', async () => {
    const endless: Answering = (response) => {
      response.writeHead(200)
      response.write('x')
    }
    expect(await answerTo(endless)).toEqual({ kind: 'taken' })
  })

  it('that says nothing at all is left when its time is up', async () => {
    expect(await answerTo(() => {})).toEqual({
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
    const receiver = await startReceiver(() => (response) => response.socket?.end(bytes), {
      path: '/secret-path',
    })
    const answer = await placeAt(receiver.url).send(message, now)
    expect(answer.kind).toBe('failed')
    expect(JSON.stringify(answer)).not.toContain('secret-path')
  })

  it('that is not there has failed', async () => {
    const receiver = await startReceiver(() => takes)
    await receiver.close()
    expect(await placeAt(receiver.url).send(message, now)).toEqual({
      kind: 'failed',
      isAway: true,
      failure: 'no answer: ECONNREFUSED',
    })
  })
})
