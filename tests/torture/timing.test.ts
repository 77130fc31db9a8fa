/** @module-tag thorough */
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, type TestContext } from 'vitest'
import { paths } from '../../src/shared/api.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { openApp, signIn } from '../fixtures/app.ts'
import { startConfirming } from '../fixtures/confirming.ts'
import { ids } from '../fixtures/keys.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { people, person } from '../store/contracts/people.ts'
import { amount, chance, report, seed } from './form.ts'

const KNOWN = 5000
const PAIRS = amount(300, 10_000)
/** So long it may take on a busy machine, such as beside other tests; then that is too busy. */
const LONGEST_MS = amount(25_000, 180_000)
/** Less than this is told apart by nobody: even beside the server it drowns in what comes and goes. */
const TELLING_MS = 0.01
/** What the same measurement is shown to notice. */
const BUILT_IN_MS = 0.2

/**
 * Asks for known and new addresses in turn.
 *
 * @param slower is waited before a known one is added. @param isAsking whether confirmation is on.
 */
async function openTarget(slower: number, isAsking: boolean) {
  const file = join(tempDir(), 'subscribers.sqlite')
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  await store.importAll(people(KNOWN))
  const known = new Set(people(KNOWN).map(({ email }) => email))
  async function add(email: string) {
    const until = performance.now() + (known.has(email) ? slower : 0)
    while (performance.now() < until);
    await store.add(email)
  }
  if (isAsking) await standInEveryWay(store)
  const outbox = isAsking ? store : undefined
  const { app } = await openApp({
    ...{ store: { ...store, add }, suppressions: store },
    ...(outbox && { outbox }),
  })
  // The mail server takes its time, and letters leave meanwhile.
  if (outbox)
    await startConfirming(store, undefined, { before: () => sleep(50), times: { every: 1000 } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const headers = { ...(await signIn(app)), 'content-type': 'application/json' }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const options = { agent, port, host: '127.0.0.1', method: 'POST', path: paths.subscribers }

  return (email: string) =>
    new Promise<number>((resolve, reject) => {
      const body = JSON.stringify({ email })
      const asked = performance.now()
      const call = request({ ...options, headers: { ...headers, 'content-length': body.length } })
      call.on('response', (answer) => {
        answer.resume().on('end', () => resolve(performance.now() - asked))
      })
      call.on('error', reject).end(body)
    })
}

/** The known ones are pending, confirmed, unsubscribed, forgotten, bounced or have complained. */
async function standInEveryWay(store: Store) {
  const emails = people(KNOWN).map(({ email }) => email)
  const shown = { words: 'Notify Me', page: 'a1', language: 'en' }
  const pending = (email: string) => ({ email, askedAt: new Date(), shown, letters: 1 })
  const one = (n: number) => emails.filter((_, i) => i % 6 === n)
  for (const email of one(0).slice(0, FORGOTTEN)) await store.forget(email)
  await store.restorePending(
    one(1).map((email) => ({ ...pending(email), lastLetterAt: new Date() })),
  )
  for (const [n, standing] of [
    ...([
      [2, 'unsubscribed'],
      [3, 'bounced'],
      [4, 'complained'],
    ] as const),
  ])
    await store.setStanding(one(n).map((email) => ({ email, standing })))
}

/** Each is a transaction and a sync of its own. */
const FORGOTTEN = 200

/**
 * How much longer a known address takes than a new one, in ms: the median lies between these two.
 * Each pair is asked in random order, one right after the other, so that whatever slows the machine
 * slows both; no distribution is assumed. Wrong once in a million runs (five sigma).
 */
async function difference(
  slower: number,
  isAsking = false,
): Promise<{ low: number; high: number; pairs: number }> {
  const ask = await openTarget(slower, isAsking)
  const random = chance(seed)
  const differences: number[] = []
  const giveUpAt = performance.now() + LONGEST_MS
  for (;;) {
    for (let n = 0; n < PAIRS; n++) {
      const known = person(1 + Math.floor(random() * KNOWN)).email
      const fresh = person(KNOWN + 1 + differences.length).email
      const newFirst = random() < 0.5
      const [first, second] = newFirst ? [fresh, known] : [known, fresh]
      const [one, other] = [await ask(first), await ask(second)]
      differences.push(newFirst ? other - one : one - other)
    }
    const pairs = differences.length
    const sorted = differences.toSorted((a, b) => a - b)
    const reach = 2.5 * Math.sqrt(pairs)
    const low = sorted[Math.floor(pairs / 2 - reach)] ?? Number.NaN
    const high = sorted[Math.ceil(pairs / 2 + reach)] ?? Number.NaN
    // On a busy machine it takes more of them until they say something.
    if (high - low < BUILT_IN_MS / 2 || performance.now() > giveUpAt) return { low, high, pairs }
  }
}

function skipWhenBlurred(context: TestContext, { low, high }: { low: number; high: number }) {
  if (high - low >= BUILT_IN_MS / 2) context.skip('this machine is too busy to measure 0.1 ms')
}

const microseconds = (ms: number) => Math.round(ms * 1000)

it('the time of an answer does not tell whether an address was known', async (context) => {
  const found = await difference(0)
  skipWhenBlurred(context, found)
  expect(found.low).toBeLessThan(TELLING_MS)
  expect(found.high).toBeGreaterThan(-TELLING_MS)
  report(context, {
    done: 'a known and a new address, asked in random order, beside the server',
    times: found.pairs,
    result: `known ones take between ${microseconds(found.low)} and ${microseconds(found.high)} µs longer (median)`,
  })
})

it('nor, with confirmation on, how it stands', async (context) => {
  const found = await difference(0, true)
  skipWhenBlurred(context, found)
  expect(found.low).toBeLessThan(TELLING_MS)
  expect(found.high).toBeGreaterThan(-TELLING_MS)
  report(context, {
    done: 'the same with confirmation on, the known ones standing in every way there is',
    times: found.pairs,
    result: `known ones take between ${microseconds(found.low)} and ${microseconds(found.high)} µs longer (median)`,
  })
})

it('a difference of 0.2 ms would be noticed', async (context) => {
  const found = await difference(BUILT_IN_MS)
  skipWhenBlurred(context, found)
  expect(found.low).toBeGreaterThan(TELLING_MS)
  report(context, {
    done: 'the same with 0.2 ms built in, to see that it is noticed',
    times: found.pairs,
    result: `between ${microseconds(found.low)} and ${microseconds(found.high)} µs longer`,
  })
})
