import { expect, it } from 'vitest'
import { receiverAt } from '../../src/events/receiver.ts'
import { answering, isSigned, startReceiver, webhookSecret } from '../fixtures/receiver.ts'

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

it('a receiver is called by its host, and is gone by 410 alone', async () => {
  for (const status of [404, 410]) {
    const { url } = await startReceiver(() => answering(status), { path: '/TOP-SECRET' })
    const receiver = receiverAt({ url, secrets: [key] })
    expect(receiver.label).toBe(new URL(url).host)
    const { isGone = false } = (await receiver.send(event, now)) as { isGone?: boolean }
    expect(isGone).toBe(status === 410)
  }
})
