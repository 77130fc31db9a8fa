import { expect, it } from 'vitest'
import { receiverAt } from '../../src/events/receiver.ts'
import {
  type Answering,
  answering,
  isSigned,
  startReceiver,
  webhookSecret,
} from '../fixtures/receiver.ts'

const now = new Date()
const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64')
const other = Buffer.alloc(32, 7)
const event = {
  id: 'evt_AAAAAAAAAAAAAAAAAAAAAA',
  type: 'subscribed',
  at: new Date('2026-11-25T02:00:00.000Z'),
  person: 'P'.repeat(22),
  email: 'ada@example.com',
} as const

async function answerTo(answer: Answering, given = {}) {
  const found = await startReceiver(() => answer, { path: '/TOP-SECRET' })
  const receiver = receiverAt({ url: found.url, secrets: [key], ...given })
  return { answer: await receiver.send(event, now), requests: found.requests }
}

it('an event has its id, type and time, the person and the address, and two signatures for two secrets', async () => {
  const found = await startReceiver()
  const receiver = receiverAt({ url: found.url, secrets: [other, key] })
  expect(await receiver.send(event, now)).toEqual({ kind: 'taken' })
  const [request] = found.requests
  if (!request) throw new Error('nothing came')
  expect(JSON.parse(request.body)).toEqual({
    id: event.id,
    type: 'subscribed',
    timestamp: '2026-11-25T02:00:00.000Z',
    data: { person: event.person, email: event.email },
  })
  expect(String(request.headers['webhook-signature']).split(' ')).toHaveLength(2)
  expect(request.headers['webhook-id']).toBe(event.id)
  expect(isSigned(request)).toBe(true)
})

it.each([
  [400, { isAway: false }],
  [422, { isAway: false }],
  [404, { isAway: true }],
  [410, { isAway: true, isGone: true }],
  [429, { isAway: true }],
  [500, { isAway: true }],
] as const)(
  'the answer %s is a failure, of which only the status is kept',
  async (status, more) => {
    const { answer } = await answerTo(
      answering(status, {}, 'ada@example.com \u001b[31m TOP-SECRET'),
    )
    expect(answer).toMatchObject({ kind: 'failed', failure: String(status), ...more })
    expect(JSON.stringify(answer)).not.toMatch(/ada|SECRET/)
  },
)

it.each([200, 204, 299])('the answer %s says that an event was taken', async (status) => {
  expect((await answerTo(answering(status))).answer).toEqual({ kind: 'taken' })
})

it.each([300, 401, 403, 405, 408, 425])(
  'the answer %s says that no event would be taken',
  async (status) => {
    expect((await answerTo(answering(status))).answer).toEqual({
      kind: 'failed',
      failure: String(status),
      isAway: true,
    })
  },
)

it('what is on its way when all is closed is stopped, and says nothing of the receiver', async () => {
  const came = Promise.withResolvers<void>()
  const { url } = await startReceiver(() => () => came.resolve())
  const receiver = receiverAt({ url, secrets: [key] })
  expect(receiver.label).toBe(new URL(url).host)
  const sending = receiver.send(event, now)
  await came.promise
  receiver.close()
  expect(await sending).toEqual({ kind: 'stopped' })
})
