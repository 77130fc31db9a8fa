import { describe, expect, it } from 'vitest'
import { type HttpPlaceKind, httpPlace } from '../../src/notices/places.ts'
import type { Notice, NoticeMessage } from '../../src/store/notices.ts'
import {
  type Answering,
  answering,
  isSigned,
  noticesIn,
  startReceiver,
  webhookSecret,
} from '../fixtures/receiver.ts'

const now = new Date('2026-03-01T09:00:00.000Z')
const first: Notice = {
  id: 'evt_1',
  type: 'subscribers.reached',
  at: now,
  data: { number: 1, subscribers: 1 },
}
const message: NoticeMessage = { id: 'evt_1', notices: [first] }
const secrets = [Buffer.from(webhookSecret.slice('whsec_'.length), 'base64')]

const placeAt = (url: string, kind: HttpPlaceKind = 'webhook') =>
  httpPlace({
    kind,
    url,
    secrets,
    name: `${kind}:one`,
    product: 'Meridian',
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
    expect(await answerTo(answering(404))).not.toHaveProperty('isGone')
  })
})
