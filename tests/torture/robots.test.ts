/** @module-tag long */
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { paths } from '../../src/shared/api.ts'
import { openApp, openSince } from '../fixtures/app.ts'
import { ids } from '../fixtures/keys.ts'
import { sqliteStore } from '../fixtures/taken-in.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { amount, chance, report, seed } from './form.ts'
import { kinds, people, type Sender } from './robots.ts'

const OF_A_KIND = 200
const PEOPLE = 300
const AT_ONCE = 16
const ROUNDS = amount(1, 10)

/** The real server on a file, behind a proxy that says whose requests they are. */
async function openTarget() {
  const file = join(tempDir(), 'subscribers.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  const { app } = await openApp({ store, suppressions: store.standings, trustProxy: ['loopback'] })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  onTestFinished(async () => {
    agent.destroy()
    await app.close()
    await store.close()
  })

  function post(path: string, headers: Readonly<Record<string, string>>, body = '') {
    const options = { agent, port, host: '127.0.0.1', method: 'POST', path }
    return new Promise<{ status: number | undefined; cookie: string }>((resolve, reject) => {
      const length = { 'content-length': Buffer.byteLength(body) }
      const call = request({ ...options, headers: { ...headers, ...length } })
      call.on('error', reject).end(body)
      call.on('response', (answer) => {
        const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
        answer.resume().on('end', () => resolve({ status: answer.statusCode, cookie }))
      })
    })
  }

  return {
    store,
    /** @returns whether it was thanked. */
    async send({ email, from, headers, way, openFor, comment }: Sender): Promise<boolean> {
      const sent = { ...headers, 'x-forwarded-for': from }
      if (way === 'form') {
        const form = new URLSearchParams({ email, comment }).toString()
        const type = { 'content-type': 'application/x-www-form-urlencoded' }
        return (await post(paths.subscribe, { ...sent, ...type }, form)).status === 303
      }
      // Who has had the page open brings the session that was given out then.
      const cookie =
        openFor > 0 ? openSince(openFor).cookie : (await post(paths.session, sent)).cookie
      const json = { ...sent, cookie, 'content-type': 'application/json' }
      const body = JSON.stringify({ email, comment, isLate: false })
      return (await post(paths.subscribers, json, body)).status === 201
    },
  }
}

it('of a thousand robots of five kinds nine in ten are quarantined, and none of the people between them', {
  timeout: amount(120_000, 1_800_000),
}, async (context) => {
  const held = new Map<string, number>()
  let innocent = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const random = chance(seed + round)
    const { store, send } = await openTarget()
    const robots = Object.entries(kinds).flatMap(([kind, robot]) =>
      Array.from({ length: OF_A_KIND }, (_, i) => ({ kind, ...robot(i, random) })),
    )
    const persons = Array.from({ length: PEOPLE }, (_, i) => ({
      kind: 'people',
      ...people(i, random),
    }))
    // A flood does not come in order.
    const all = [...robots, ...persons]
      .map((one) => ({ one, at: random() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ one }) => one)
    const waiting = [...all]
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = waiting.shift(); next; next = waiting.shift())
          expect(await send(next), next.kind).toBe(true)
      }),
    )
    expect(await store.list.count()).toBe(new Set(all.map(({ email }) => email)).size)
    for (const { kind, email } of all) {
      const isHeld = (await store.standings.of(email))?.standing === 'quarantined'
      if (isHeld) held.set(kind, (held.get(kind) ?? 0) + 1)
      if (isHeld && kind === 'people') innocent += 1
    }
  }

  const shares = Object.keys(kinds).map((kind) => ({
    kind,
    share: (held.get(kind) ?? 0) / (OF_A_KIND * ROUNDS),
  }))
  for (const { kind, share } of shares)
    report(context, {
      done: `robots: ${kind}`,
      times: OF_A_KIND * ROUNDS,
      result: `${(100 * share).toFixed(1)} % quarantined, all of them thanked and on the list`,
    })
  report(context, {
    done: 'ordinary people between them',
    times: PEOPLE * ROUNDS,
    result: `${innocent} quarantined`,
  })
  console.log(shares.map(({ kind, share }) => `${kind} ${(100 * share).toFixed(1)} %`).join(', '))
  expect(innocent).toBe(0)
  const whole = shares.reduce((sum, { share }) => sum + share, 0) / shares.length
  expect(whole).toBeGreaterThanOrEqual(0.9)
})
