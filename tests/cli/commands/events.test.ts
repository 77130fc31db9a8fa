import { expect, it } from 'vitest'
import { launchPad } from '../../fixtures/launch-pad.ts'
import { answering, isSigned, startReceiver, webhookSecret } from '../../fixtures/receiver.ts'

const env = (url: string) => ({
  EVENTS_URL: url,
  EVENTS: 'subscribed,left,forgotten',
  EVENTS_SECRET: webhookSecret,
})
const place = 'P'.repeat(22)
const failed = { kind: 'failed', failure: '503', isAway: true } as const

async function waiting() {
  const pad = await launchPad(0)
  await pad.store.events.open(['subscribed', 'left', 'forgotten'], place)
  await pad.store.list.add('ada@example.com')
  await pad.store.standings.forget('bob@example.com')
  return pad
}

it('events says what waits and why, and of nobody who they are', async () => {
  const { run, store } = await waiting()
  const now = new Date(Date.now() + 1000)
  const claimed = await store.events.claim(2, 1000, now)
  await store.events.settle(
    claimed.map((event) => ({ item: event, answer: failed })),
    now,
  )
  const { code, stdout } = await run(['events'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Told of +subscribed, left, forgotten$/m)
  expect(stdout).toMatch(
    /^LOOK: Events: events of 2 people wait, 1 erasure not acknowledged, .* \(503\) /m,
  )
  expect(stdout).not.toMatch(/ada|bob/)
  const { stdout: text } = await run(['events', '--json'])
  expect(JSON.parse(text)).toMatchObject({
    notes: [{ people: 2, held: 0, forgotten: 1, feed: { failure: '503' } }],
  })
})

it('events --test sends nothing of anybody, and says what the receiver answered', async () => {
  const receiver = await startReceiver()
  const { run } = await waiting()
  const { code, stdout } = await run(['events', '--test'], env(receiver.url))
  expect(stdout).toMatch(/^The test at 127\.0\.0\.1:\d+: accepted$/m)
  expect(code).toBe(0)
  const [request] = receiver.requests
  expect(JSON.parse(String(request?.body))).toMatchObject({ type: 'test', data: {} })
  expect(request && isSigned(request)).toBe(true)
  const refuses = await startReceiver(() => answering(500, {}, 'TOP-SECRET'))
  const refused = await run(['events', '--test'], env(refuses.url))
  expect(refused.stdout).toMatch(/: not accepted: 500$/m)
  expect(refused.stdout).not.toContain('TOP-SECRET')
  expect(refused.code).toBe(1)
})

it('events --test asks for its settings in one line', async () => {
  const { run } = await launchPad(0)
  const { code, stderr } = await run(['events', '--test'])
  expect(stderr.trim()).toBe('EVENTS_URL: is not set, so no events are sent: docs/events.md')
  expect(code).toBe(1)
})
