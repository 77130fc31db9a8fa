import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openApp, openSince, subscribe } from '../fixtures/app.ts'
import { startConfirming } from '../fixtures/confirming.ts'
import type { Relay } from '../fixtures/relay.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'
import { amount, report } from './form.ts'

const JUNK = amount(400, 10_000)
const AT_ONCE = 16
const ORDINARY = 5
/** Of which the sender may have taken a handful at once when somebody ordinary comes, and one more. */
const CONNECTIONS = 5
const AHEAD = 4 * CONNECTIONS

it('under a flood of sign-ups, the letters of ordinary visitors are the next to leave', {
  timeout: amount(150_000, 1_800_000),
}, async (context) => {
  const store = storeOnFile()
  const { app } = await openApp({ store, suppressions: store.standings, requests: store.requests })
  const { relay } = await startConfirming(store.requests, undefined, { before: () => sleep(20) })
  const from = async (remoteAddress: string, email: string) => {
    const { statusCode } = await subscribe(app, openSince(60_000), email, { remoteAddress })
    expect(statusCode).toBe(201)
  }

  let [junk, ended] = [0, false]
  const flood = Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (junk < JUNK) {
        const n = junk++
        // One network in many addresses, and another with one.
        const network = n % 2 === 0 ? `2001:db8:7:${n.toString(16)}::1` : '192.0.2.7'
        await from(network, `junk${n}@example.com`)
      }
    }),
  ).finally(() => {
    ended = true
  })
  const waits: { letters: number; ms: number }[] = []
  for (let n = 1; n <= ORDINARY; n++) {
    while (!ended && junk < (n * JUNK) / ORDINARY) await sleep(5)
    waits.push(await waitOf(`ordinary${n}@example.com`, `198.51.${n}.1`))
  }
  await flood

  async function waitOf(email: string, remoteAddress: string) {
    await from(remoteAddress, email)
    return untilSent(relay, email)
  }
  const { waiting } = await store.requests.counts()
  expect(waiting).toBeGreaterThan(JUNK / 4)
  const most = Math.max(...waits.map(({ letters }) => letters))
  expect(most).toBeLessThanOrEqual(AHEAD)
  report(context, {
    done: 'sign-ups from two networks, and ordinary visitors between them',
    times: JUNK,
    result: `at most ${most} letters left before each ordinary one, which took ${(Math.max(...waits.map(({ ms }) => ms)) / 1000).toFixed(1)} s at most, while ${waiting.toLocaleString('en')} waited`,
  })
})

/** How many letters leave before one, counted from now, and how long that takes. */
async function untilSent(relay: Relay, email: string) {
  const [before, asked] = [relay.accepted.length, performance.now()]
  const place = () => relay.accepted.findIndex(({ to }) => to === email)
  while (place() < 0) await sleep(5)
  return { letters: place() - before, ms: performance.now() - asked }
}
