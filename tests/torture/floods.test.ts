/** @module-tag long */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { addressIds } from '../../src/keys/address-id.ts'
import { unsubscribeTokens } from '../../src/keys/unsubscribe-token.ts'
import { ended, run } from '../fixtures/run.ts'
import { type RunningSite, startSite } from '../fixtures/running-site.ts'
import { copyOfServer } from '../fixtures/server-copy.ts'
import { signIn, signUp } from './crowd.ts'
import type { Flooded } from './floods/flood.ts'
import { amount, isLong, report } from './form.ts'

/** In the short form only against starving: it may run beside much else. */
const PAGE_WITHIN_MS = amount(10_000, 1000)
/** This share of visitors; of a few on a busy machine, the slowest says nothing. */
const PAGE_FOR = amount(0.5, 0.95)
const WAVES = amount(1, 5)
/** In MB: what the server may hold at most, and how much of that is for each connection. */
const MEMORY = 320
const MEMORY_A_CONNECTION = 0.032

/** Floods the server from a process of its own. @param size connections, or requests. */
async function flood(
  which: string,
  url: string,
  size: number,
  seconds: number,
  token = '',
): Promise<Flooded> {
  const script = join(import.meta.dirname, 'floods/flood.ts')
  const cookie = (await signIn(url)).cookie ?? ''
  const command = [process.execPath, script, which, url, String(size), String(seconds)] as const
  const { stdout } = await ended(run('.', command, { COOKIE: cookie, TOKEN: token }))
  return JSON.parse(stdout)
}

/** What a genuine unsubscribe link of this server carries. */
function linkOf(dataDir: string) {
  const linkKey = readFileSync(join(dataDir, 'link.key'))
  return unsubscribeTokens(linkKey).sign(addressIds(linkKey).of('ada@example.com'))
}

/** Asks for the page again and again, as somebody new each time. @returns how long each took, in ms. */
function watchPage(url: string) {
  let over = false
  const waits: number[] = []
  const watching = (async () => {
    while (!over) {
      const asked = performance.now()
      const status = await new Promise((resolve, reject) =>
        get(url, { agent: false }, (answer) =>
          answer.resume().on('end', () => resolve(answer.statusCode)),
        ).on('error', reject),
      )
      expect(status).toBe(200)
      waits.push(performance.now() - asked)
      await sleep(50)
    }
  })()
  return async () => {
    over = true
    await watching
    return waits
  }
}

/** Watches the most memory that a process holds, in MB. */
function watchMemory(pid: number | undefined) {
  let most = 0
  const look = () => {
    const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
    most = Math.max(most, Number(stdout) / 1000)
  }
  const timer = setInterval(look, 500)
  onTestFinished(() => clearInterval(timer))
  return () => {
    clearInterval(timer)
    look()
    return Math.round(most)
  }
}

const floods = [
  {
    which: 'silent',
    what: 'connections that send nothing',
    size: amount(500, 10_000),
    seconds: amount(0.5, 15),
    env: {},
  },
  {
    which: 'slow headers',
    what: 'headers of one byte a second',
    size: amount(200, 2000),
    seconds: amount(0.5, 15),
    env: {},
  },
  {
    which: 'slow bodies',
    what: 'bodies of one byte a second',
    size: amount(200, 2000),
    seconds: amount(0.5, 25),
    env: {},
  },
  {
    which: 'endless headers',
    what: 'headers that never end',
    size: amount(300, 10_000),
    seconds: amount(0.5, 10),
    env: {},
  },
  {
    which: 'endless bodies',
    what: 'bodies that never end',
    size: amount(300, 10_000),
    seconds: amount(0.5, 10),
    env: {},
  },
  {
    which: 'requests',
    what: 'sign-ups beyond the limit',
    size: amount(2000, 100_000),
    seconds: 120,
    env: { RATE_LIMIT: '100' },
  },
  {
    which: 'requests',
    what: 'sign-ups, each from another address',
    size: amount(2000, 100_000),
    seconds: 120,
    env: { RATE_LIMIT: '100', TRUST_PROXY: 'loopback' },
    // As fast as they come, garbage waits: twelve waves level off at 400 MB, of which 47 are alive.
    memory: 440,
  },
  {
    which: 'unsubscribes',
    what: 'one link that is pressed over and over',
    size: amount(2000, 100_000),
    seconds: 120,
    env: {},
  },
  ...(['pages', 'unknown paths', 'sign-ups', 'sign-ins', 'forms', 'unsubscribes'] as const).map(
    (what) => ({
      which: `unread ${what}`,
      what: `2,500 ${what} on each connection, the answers never read`,
      size: amount(60, 1000),
      seconds: amount(1, 10),
      env: {},
    }),
  ),
]

/**
 * In the short form one server for all floods of the same settings, for as long as they follow each
 * other: what one leaves behind, the next would find. In the long form each has its own.
 */
let shared:
  | { readonly settings: string; readonly site: RunningSite; readonly root: string }
  | undefined

async function endShared() {
  await shared?.site.stop()
  if (shared) rmSync(shared.root, { recursive: true, force: true })
  shared = undefined
}
afterAll(endShared)

async function serverWith(env: Readonly<Record<string, string>>): Promise<RunningSite> {
  const settings = { LOG_LEVEL: 'warn', ...env }
  if (isLong) {
    const site = await startSite({ root: copyOfServer(), env: settings })
    onTestFinished(() => site.stop())
    return site
  }
  if (shared?.settings === JSON.stringify(settings)) return shared.site
  await endShared()
  const root = mkdtempSync(join(tmpdir(), 'opening-bell-'))
  const site = await startSite({ root: copyOfServer({ root }), env: settings })
  shared = { settings: JSON.stringify(settings), site, root }
  return site
}

/** Those that wait for answers count them; the others count connections. */
const countsAnswers = (which: string) => which === 'requests' || which === 'unsubscribes'

it.for(floods)(
  'the page is served and memory stays bounded in a flood of $what',
  { timeout: 600_000 },
  async ({ which, what, size, seconds, env, memory: most = MEMORY }, context) => {
    const site = await serverWith(env)
    const token = linkOf(site.dataDir)
    const waits: number[] = []
    const memory: number[] = []
    let reached = 0
    for (let wave = 0; wave < WAVES; wave++) {
      const [stopWatching, mostMemory] = [watchPage(site.url), watchMemory(site.pid())]
      const { opened, statuses } = await flood(which, site.url, size, seconds, token)
      waits.push(...(await stopWatching()))
      memory.push(mostMemory())
      const answered = Object.values(statuses).reduce((sum, times) => sum + times, 0)
      reached = countsAnswers(which) ? answered : opened
      // Somebody new is still served, and a sign-up kept.
      if (which !== 'requests')
        expect(
          (
            await signUp(
              site.url,
              await signIn(site.url),
              `${which.replaceAll(' ', '-')}-${wave}@example.com`,
            )
          ).status,
        ).toBe(201)
    }
    waits.sort((a, b) => a - b)
    const at = (share: number) =>
      Math.round(waits[Math.floor((waits.length - 1) * share)] ?? Number.NaN)
    expect(at(PAGE_FOR)).toBeLessThan(PAGE_WITHIN_MS)
    // Were anything kept of a flood, each would need as much again.
    const connections = countsAnswers(which) ? 100 : size
    expect(Math.max(...memory)).toBeLessThan(most + connections * MEMORY_A_CONNECTION)
    // Not a line, but that addresses are forwarded by who was not named.
    expect(site.log().replace(/^.*TRUST_PROXY.*\n/, '')).toBe('')
    // A machine may allow fewer than were asked for; a flood of next to nothing is none.
    expect(reached).toBeGreaterThan(size / 4)
    if (reached < size) console.warn(`Only ${reached} of ${size} ${what} were possible here.`)
    report(context, {
      done: `flood of ${what}, ${WAVES} times`,
      times: reached,
      result: `page in ${at(0.5)} ms (median), ${at(0.95)} ms (95 %), ${at(1)} ms (slowest); memory at most ${memory.join(', ')} MB`,
    })
  },
)

it('with more connections than it may open, it is back as soon as they are gone', async (context) => {
  const few = ['sh', '-c', 'ulimit -n 150; exec "$0" "$@"']
  const site = await startSite({ root: copyOfServer(), env: { LOG_LEVEL: 'warn' }, by: few })
  onTestFinished(() => site.stop())
  const { hungUp } = await flood('silent', site.url, 400, 2)
  expect(hungUp).toBeGreaterThan(0)
  const headers = await signIn(site.url)
  expect((await signUp(site.url, headers, 'after@example.com')).status).toBe(201)
  expect((await fetch(site.url)).status).toBe(200)
  expect(site.log()).not.toContain('@')
  report(context, {
    done: 'silent connections, where the system allows the server 150 open files',
    times: 400,
    result: `${hungUp} turned away, then served as before`,
  })
})
