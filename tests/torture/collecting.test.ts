/** @module-tag long */

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, type TestContext, vi } from 'vitest'
import { startProgram } from '../../scripts/program.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import { startPausingProxy } from '../emulators/pausing-proxy.ts'
import { withFirestoreEmulator } from '../emulators/with-emulators.ts'
import { standingCounts } from '../fixtures/standing-counts.ts'
import { ago, appId, inboxStage, newFolder } from '../from-firestore/inbox-stage.ts'
import { amount, chance, report, seed } from './form.ts'

const KILLS = amount(10, 300)
/** After so many, another list begins. */
const A_LIST = 30
const [AT_FIRST, EACH_TIME] = [3000, 300]
const HOUR = 3600
/** What a list of any length may take more than a short one: what a million addresses are. */
const MORE_MB = 100

const emailOf = (n: number) => `visitor${n}@example.com`

describe('taking in from Firestore', { timeout: 3_600_000 }, () => {
  const emulator = withFirestoreEmulator()

  it('loses and doubles nobody, though it is killed at any moment', async (context) => {
    const random = chance(seed)
    const places: Record<string, number> = { begun: 0, looking: 0, taking: 0 }
    for (let left = KILLS; left > 0; left -= A_LIST)
      await killOften(emulator().origin, Math.min(left, A_LIST), random, places)
    report(context, {
      done: 'kill -9 of taking in from Firestore, while visitors write and leave',
      times: KILLS,
      result: `everybody once, nobody back who left; ${places.begun} before the first page, ${places.looking} in a look, ${places.taking} after it (seed ${seed})`,
    })
  })

  it('loses and doubles nobody who comes in an hour of outage', async (context) => {
    const start = Date.now() - HOUR * 1000
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const proxy = await startPausingProxy(emulator().origin)
    onTestFinished(() => proxy.close())
    const { open, write, claim } = inboxStage(emulator().origin, proxy.origin)
    const came = amount(1000, 20_000)
    const { collect, store, collecting, ids, emails, standingOf } = open()
    const between = (from: number, to: number, fromMs: number, toMs: number) =>
      Array.from({ length: to - from }, (_, n) => {
        const at = fromMs + (n / (to - from)) * (toMs - fromMs)
        return [emailOf(from + n), new Date(at)] as const
      })
    await write(between(0, 500, start - 2 * HOUR * 1000, start))
    await collect.look()

    proxy.pause()
    await write(between(500, 500 + came, start, start + HOUR * 1000))
    for (const minutes of [1, 20, 60]) {
      vi.setSystemTime(start + minutes * 60_000)
      await expect(collect.look()).rejects.toThrow(StoreUnavailable)
      await store.standings.unsubscribe(ids.of(emailOf(minutes)))
    }
    expect(await store.list.count()).toBe(500)
    proxy.resume()
    // Of before they left.
    await write([1, 20, 60].map((n) => [emailOf(n), new Date(start)] as const))
    await collect.look()
    await collect.look()
    const all = Array.from({ length: 500 + came }, (_, n) => emailOf(n))
    expect((await emails()).toSorted()).toEqual(all.toSorted())
    expect(await collecting.counted()).toBe(503 + came)
    expect((await collecting.state())?.missing).toBe(0)
    for (const n of [1, 20, 60]) expect(await standingOf(emailOf(n))).toBe('unsubscribed')
    expect((await claim.get()).get('noes')).toBe(3)
    report(context, {
      done: 'an hour in which Firestore answers nothing, by the clock of the process',
      times: came,
      result: 'all who came in it on the list by the next look, once each',
    })
  })
})

it('a million takes no more memory than some thousands', {
  timeout: 3_600_000,
}, async (context) => {
  const few = await collectFromStandIn(context, amount(20_000, 100_000))
  const many = await collectFromStandIn(context, amount(60_000, 1_000_000))
  expect(many.megabytes).toBeLessThan(few.megabytes + MORE_MB)
})

async function collectFromStandIn(context: TestContext, documents: number) {
  const [end = ''] = await begin(newFolder(), { DOCUMENTS: String(documents) }).printed(/\{.*\}/)
  const { people, megabytes } = JSON.parse(end)
  expect(people).toBe(documents)
  report(context, {
    done: 'taking in from a stand-in for Firestore',
    times: documents,
    result: `in ${Math.round(megabytes)} MB`,
  })
  return { megabytes: Number(megabytes) }
}

async function killOften(
  origin: string,
  kills: number,
  random: () => number,
  places: Record<string, number>,
) {
  const { project, open, write, claim } = inboxStage(origin)
  const there = { FIRESTORE_EMULATOR_HOST: new URL(origin).host, PROJECT: project }
  const folder = newFolder()
  const { store, collecting, ids, emails } = open(folder)
  let people = 0
  async function come(number: number) {
    await write(Array.from({ length: number }, (_, n) => [emailOf(people + n), ago(0)] as const))
    people += number
  }
  const gone = new Set<string>()
  async function leave() {
    const there = (await emails()).filter((email) => !gone.has(email))
    const email = there[Math.floor(random() * there.length)]
    if (email === undefined) return
    await store.standings.unsubscribe(ids.of(email))
    // Another tab's, of before.
    await write([[email, ago(30)]])
    gone.add(email)
  }

  await come(AT_FIRST)
  for (let killed = 0, lives = 0; killed < kills; lives += 1) {
    const life = begin(folder, there)
    // Every other life lasts until somebody is on the list, so that there is who can leave.
    const isLonger = lives % 2 === 1
    await life.printed(isLonger ? /taking/ : /begun/)
    await Promise.race([life.ended, sleep(random() * (isLonger ? 100 : 1000))])
    const place = life.output('stdout').trim().split('\n').at(-1) ?? ''
    if (life.isRunning() && place in places) {
      killed += 1
      places[place] = (places[place] ?? 0) + 1
    }
    await life.end('SIGKILL')
    await come(EACH_TIME)
    await leave()
  }
  expect(gone.size).toBeGreaterThan(0)
  expect(await begin(folder, there).ended).toBe(0)
  const all = Array.from({ length: people }, (_, n) => emailOf(n))
  expect((await emails()).toSorted()).toEqual(all.toSorted())
  expect(await collecting.counted()).toBe(people + gone.size)
  expect((await standingCounts(store)).unsubscribed).toBe(gone.size)
  expect((await claim.collection('noes').get()).size).toBe(gone.size)
  const { quarters } = await store.growth.since(ago(86_400))
  expect(quarters.reduce((sum, { number }) => sum + number, 0)).toBe(people)
}

function begin({ file, linkKey }: ReturnType<typeof newFolder>, more: NodeJS.ProcessEnv) {
  const env = { ...process.env, FILE: file, KEY: linkKey.toString(), APP_ID: appId, ...more }
  const life = join(import.meta.dirname, 'collecting/life.ts')
  const started = startProgram(process.execPath, [life], { env })
  onTestFinished(async () => {
    await started.end('SIGKILL')
  })
  return started
}
