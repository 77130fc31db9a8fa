/** @module-tag long */
import { Agent, type RequestOptions, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest'
import { joinPaths } from '../../src/features/embed/paths.ts'
import { paths } from '../../src/shared/api.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { openApp, signIn } from '../fixtures/app.ts'
import { startConfirming } from '../fixtures/confirming.ts'
import { ids } from '../fixtures/keys.ts'
import { receipt } from '../fixtures/receipt.ts'
import { restorePending } from '../fixtures/restore-pending.ts'
import { restoreKnown } from '../fixtures/restored.ts'
import { storeOnFile } from '../fixtures/store-on-file.ts'
import { tempDir } from '../fixtures/temp-dir.ts'
import { people, person } from '../store/contracts/people.ts'
import { amount, chance, isLong, report, seed } from './form.ts'

const KNOWN = 5000
const PAIRS = amount(300, 10_000)
/** Where the next request is timed, each takes a tenth of a second. */
const NEXT_PAIRS = 50
/** So long it may take on a busy machine, such as beside other tests; then that is too busy. */
const LONGEST_MS = amount(8_000, 180_000)
const LONGEST_NEXT_MS = amount(8_000, 60_000)
/** Less than this is told apart by nobody: even beside the server it drowns in what comes and goes. */
const TELLING_MS = 0.01
/** What the same measurement is shown to notice. */
const BUILT_IN_MS = 0.2

/** How the mail server is, where confirmation is on. */
const mail = {
  quick: { before: () => sleep(50) },
  slow: { before: () => sleep(5000) },
  away: { isAway: true },
} satisfies Record<string, { before?: () => Promise<void>; isAway?: boolean }>

interface Measured {
  /** How much longer it is made to take before a known address is added, in ms. */
  readonly slower?: number
  /** Set where confirmation is on. */
  readonly mailServer?: keyof typeof mail
  /** Whether the known ones came by an import, and sign up at the page for the first time. */
  readonly areImported?: boolean
  /** Whether a form on another site asks. */
  readonly isElsewhere?: boolean
  /** Whether the known ones differ in how they stand, as they do where confirmation is on. */
  readonly isMixed?: boolean
  /** How all known ones stand instead. */
  readonly standing?: 'subscribed' | 'forgotten' | 'quarantined'
  /** Whether the next request is timed, by this connection or another. */
  readonly next?: 'same' | 'other'
  /** How much longer the next request is made to take after a known address, in ms. */
  readonly slowerNext?: number
}

/** How long the next request may be after the answer, in ms: a beat of taking in, and more. */
const LONGEST_PAUSE_MS = 150

/** Asks for known and new addresses in turn, as a server does that takes them in on its beat. */
async function openTarget(measured: Measured) {
  const { mailServer, areImported, standing } = measured
  const { isMixed = mailServer !== undefined } = measured
  const file = join(tempDir(), 'subscribers.sqlite')
  const past = storeOnFile(file)
  const known = people(KNOWN)
  if (areImported) await past.list.importAll(known)
  else {
    const suspicion = standing === 'quarantined' ? 'hidden-field' : undefined
    await Promise.all(known.map(({ email }) => past.list.add(email, { suspicion })))
  }
  const emails = known.map(({ email }) => email)
  if (standing === 'forgotten')
    for (let n = 0; n < KNOWN; n += 500) await past.standings.forgetAll(emails.slice(n, n + 500))
  // Without confirmation a sign-up lifts some standings, and writes more where it does: SECURITY.md.
  if (isMixed) await standInEveryWay(past, KNOWN, { areSomeLifted: mailServer !== undefined })
  const store = sqliteStore({ file, appId: 'test', addressIds: ids, log: () => {} })
  onTestFinished(() => store.close())
  const taking = store.inbox.takeInUntilClosed()
  onTestFinished(() => taking.close())
  return asking(store, measured, new Set(emails))
}

const otherSite = 'https://blog.example.com'

/** Burns time, as work would. */
function work(ms: number) {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/**
 * @returns asks for an address over a real connection, and says how long the answer took, or the next
 *   request a pause after it, in ms.
 */
async function asking(store: Store, measured: Measured, known: ReadonlySet<string>) {
  const { mailServer, isElsewhere, next, slower = 0, slowerNext = 0 } = measured
  async function add(email: string) {
    work(known.has(email) ? slower : 0)
    return store.list.add(email)
  }
  const { app } = await openApp({
    store: { ...store, list: { ...store.list, add } },
    ofFeatures: { EMBED_ORIGINS: isElsewhere ? [otherSite] : null },
    suppressions: store.standings,
    ...(mailServer && { requests: store.requests }),
  })
  // Letters leave meanwhile, or are tried.
  if (mailServer) {
    const { isAway, ...options } = { isAway: false, ...mail[mailServer] }
    const times = { look: 1000, pauses: [1000] }
    const { relay } = await startConfirming(store.requests, undefined, { ...options, times })
    if (isAway) await relay.close()
  }
  let last = ''
  app.server.prependListener('request', ({ method }) => {
    if (method === 'GET' && known.has(last)) work(slowerNext)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const headers = isElsewhere
    ? { origin: otherSite, 'content-type': 'application/x-www-form-urlencoded' }
    : { ...(await signIn(app)), 'content-type': 'application/json' }
  const path = isElsewhere ? joinPaths.join : paths.subscribers
  const [agent, other] = [new Agent(oneConnection), new Agent(oneConnection)]
  onTestFinished(() => {
    for (const one of [agent, other]) one.destroy()
  })
  const timed = (options: RequestOptions, body?: string) =>
    new Promise<number>((resolve, reject) => {
      const asked = performance.now()
      const call = request({ agent, port, host: '127.0.0.1', ...options })
      call.on('response', (answer) => {
        answer.resume().on('end', () => resolve(performance.now() - asked))
      })
      call.on('error', reject).end(body)
    })

  return async (email: string, pause: number) => {
    const body = isElsewhere ? String(new URLSearchParams({ email })) : JSON.stringify({ email })
    const length = { 'content-length': body.length }
    const took = await timed({ method: 'POST', path, headers: { ...headers, ...length } }, body)
    if (!next) return took
    last = email
    await sleep(pause)
    return timed({ agent: next === 'same' ? agent : other, path: '/healthz' })
  }
}

const oneConnection = { keepAlive: true, maxSockets: 1 }

/**
 * The known ones are subscribed, confirmed with a receipt, pending, quarantined, unsubscribed,
 * forgotten, bounced or have complained.
 */
async function standInEveryWay(store: Store, known = KNOWN, { areSomeLifted = true } = {}) {
  const emails = people(known).map(({ email }) => email)
  const shown = { words: 'Notify Me', page: 'a1', language: 'en' }
  const now = new Date()
  const pending = (email: string) => ({ email, askedAt: now, shown, letters: 1, lastLetterAt: now })
  const lifted = [0, 2, 5]
  const one = (n: number) =>
    emails.filter((_, i) => i % 8 === n && (areSomeLifted || !lifted.includes(n)))
  for (const email of one(0).slice(0, FORGOTTEN)) await store.standings.forget(email)
  await restorePending(store, one(1).map(pending))
  for (const [n, standing] of [
    ...([
      [2, 'unsubscribed'],
      [3, 'bounced'],
      [4, 'complained'],
    ] as const),
  ])
    await store.standings.set(one(n).map((email) => ({ email, standing })))
  const quarantined = { standing: 'quarantined', at: now } as const
  await restoreKnown(store, [
    ...one(5).map((email) => ({ addressId: ids.of(email), standing: quarantined })),
    ...one(6).map((email) => ({ addressId: ids.of(email), extra: { consent: receipt } })),
  ])
  if (areSomeLifted)
    expect(await store.standings.of(one(5)[0] ?? '')).toMatchObject({ standing: 'quarantined' })
}

/** Each is a transaction and a sync of its own. */
const FORGOTTEN = 200

interface Difference {
  readonly low: number
  readonly high: number
  readonly pairs: number
}

/**
 * How much longer a known address takes than a new one, in ms: the median lies between these two.
 * Each pair is asked in random order, one right after the other, so that whatever slows the machine
 * slows both; no distribution is assumed. Wrong once in a million runs (five sigma).
 *
 * @param known how many are. @param isNext whether the next request is timed.
 */
async function difference(
  ask: (email: string, pause: number) => Promise<number>,
  { known, isNext }: { readonly known: number; readonly isNext: boolean },
): Promise<Difference> {
  const random = chance(seed)
  const differences: number[] = []
  const giveUpAt = performance.now() + (isNext ? LONGEST_NEXT_MS : LONGEST_MS)
  for (;;) {
    for (let n = 0; n < (isNext ? NEXT_PAIRS : PAIRS); n++) {
      // Each once, since a sign-up changes how some stand.
      const old = person(1 + (differences.length % known)).email
      const fresh = person(KNOWN + 1 + differences.length).email
      const newFirst = random() < 0.5
      const [first, second] = newFirst ? [fresh, old] : [old, fresh]
      const pause = random() * LONGEST_PAUSE_MS
      const [one, other] = [await ask(first, pause), await ask(second, pause)]
      differences.push(newFirst ? other - one : one - other)
    }
    const pairs = differences.length
    const sorted = differences.toSorted((a, b) => a - b)
    const reach = 2.5 * Math.sqrt(pairs)
    const low = sorted[Math.floor(pairs / 2 - reach)] ?? Number.NaN
    const high = sorted[Math.ceil(pairs / 2 + reach)] ?? Number.NaN
    // On a busy machine it takes more of them until they say something.
    if (high - low < BLUR_MS || performance.now() > giveUpAt) return { low, high, pairs }
  }
}

const BLUR_MS = BUILT_IN_MS / 2

async function differenceOnSqlite(measured: Measured, context: TestContext) {
  const ask = await openTarget(measured)
  const found = await difference(ask, { known: KNOWN, isNext: measured.next !== undefined })
  if (found.high - found.low >= BLUR_MS)
    context.skip(`this machine is too busy to measure 0.1 ms: ${asFound(found)}`)
  return found
}

const microseconds = (ms: number) => Math.round(ms * 1000)
const asFound = ({ low, high }: Difference) =>
  `known ones take between ${microseconds(low)} and ${microseconds(high)} µs longer (median)`

/** @param longer how much longer a known address may take, in ms. */
async function expectUntold(
  measured: Measured,
  done: string,
  context: TestContext,
  longer = TELLING_MS,
) {
  const found = await differenceOnSqlite(measured, context)
  expect(found.low).toBeLessThan(longer)
  expect(found.high).toBeGreaterThan(-TELLING_MS)
  report(context, { done, times: found.pairs, result: asFound(found) })
}

it('the time of an answer does not tell whether an address was known', (context) =>
  expectUntold({}, 'a known and a new address, asked in random order, beside the server', context))

it('nor, with confirmation off, how it stands, unless a sign-up lifts that', (context) =>
  expectUntold(
    { isMixed: true },
    'the same with the known ones standing in every way that a sign-up does not lift',
    context,
  ))

it('nor does it to a form on another site', (context) =>
  expectUntold({ isElsewhere: true }, 'the same asked by a form on another site', context))

it('an import is seen by less than 0.2 ms, once for each address', (context) =>
  expectUntold(
    { areImported: true },
    'the same with known ones that came by an import',
    context,
    BUILT_IN_MS,
  ))

describe('nor, with confirmation on, how it stands', () => {
  const all = [
    ['slow', 'that takes 5 s'],
    ['quick', 'that takes 50 ms'],
    ['away', 'that is away'],
  ] as const
  // Where an answer waited for a letter, the slow one would show it.
  for (const [mailServer, which] of isLong ? all : all.slice(0, 1))
    it(`with a mail server ${which}`, (context) =>
      expectUntold(
        { mailServer },
        `the same with confirmation on, the known ones standing in every way there is, and a mail server ${which}`,
        context,
      ))
})

describe.each(['same', 'other'] as const)(
  'nor does the next request, on the %s connection',
  (next) => {
    it.for(['subscribed', 'forgotten', 'quarantined'] as const)(
      'whether an address is new or %s',
      (standing, context) =>
        expectUntold(
          { standing, next },
          `the next request 0 to ${LONGEST_PAUSE_MS} ms after a new and a ${standing} address, on the ${next} connection`,
          context,
        ),
    )
  },
)

it.for([
  ['', { slower: BUILT_IN_MS }],
  [' of the next request', { slowerNext: BUILT_IN_MS, next: 'other' }],
] as const)('a difference of 0.2 ms%s would be noticed', async ([of, measured], context) => {
  const found = await differenceOnSqlite(measured, context)
  expect(found.low).toBeGreaterThan(TELLING_MS)
  report(context, {
    done: `the same with 0.2 ms${of} built in, to see that it is noticed`,
    times: found.pairs,
    result: `between ${microseconds(found.low)} and ${microseconds(found.high)} µs longer`,
  })
})
