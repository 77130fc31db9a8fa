import {
  type BrowserContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Request,
} from '@playwright/test'
import { paths } from '../../src/shared/api.ts'
import { type RunningFirebaseSite, startFirebaseSite } from '../fixtures/running-firebase-site.ts'
import { type RunningSite, startSite } from '../fixtures/running-site.ts'
import { GOOGLE, playGoogle } from './google.ts'
import { longOf } from './long.ts'
import { endProtocols } from './page.ts'

interface BrowserConsole {
  /** Warnings, errors and uncaught exceptions so far. */
  readonly lines: readonly string[]
  /** Says that a line like this may, and must, appear. */
  expect(pattern: RegExp): void
}

/** The page with a backend behind it, in either mode. */
interface Site extends Pick<RunningSite, 'url' | 'kill' | 'restart' | 'pause' | 'resume'> {
  /** The addresses that are kept, each once. */
  subscribers(): string[] | Promise<string[]>
}

interface TestFixtures {
  /** Settings for `freshServer`, as environment variables. */
  settings: Record<string, string>
  /** A backend for this test alone, with nobody on its list: to be stopped and started again. */
  ownSite: Site
  /** The same of our own server, to be starved and broken as well. */
  ownServer: RunningSite
  /** One that has just started, for what is left in memory or is not to be undone. */
  freshServer: RunningSite
  /** The same of Firebase, for tests of that mode. */
  ownFirebase: RunningFirebaseSite
  /** In that mode, who stands where Google does. */
  google: undefined
  /** Any line that was not expected fails the test, and so does a call to another origin. */
  browserConsole: BrowserConsole
}

interface WorkerFixtures {
  mode: 'embedded' | 'firebase'
  /** Nothing in the other mode, or where this machine has no emulator. */
  firebase: RunningFirebaseSite | undefined
  /** Our own server, of which a test has `ownServer`. */
  server: RunningSite
  /** A backend that is well, shared by many tests: each leaves addresses of its own. */
  site: Site
  /** One server of our own for tests of one name, which leave it as they found it. */
  shared: SharedServer
}

/** Gives the server of that name, prepared once; it ends when another is asked for. */
type SharedServer = (
  name: string,
  prepare?: (site: RunningSite) => Promise<void>,
  settings?: Readonly<Record<string, string>>,
) => Promise<RunningSite>

export const test = base.extend<TestFixtures, WorkerFixtures>({
  mode: ['embedded', { option: true, scope: 'worker' }],

  firebase: [
    async ({ mode }, use) => {
      const { FIREBASE_SITE: folder, FIRESTORE_EMULATOR_JAR: jar } = process.env
      if (mode === 'embedded' || !folder || !jar) return use(undefined)
      const firebase = await startFirebaseSite(folder, jar)
      await use(firebase)
      await firebase.stop()
    },
    // Two virtual machines, on a machine that may be busy.
    { scope: 'worker', timeout: 300_000 },
  ],

  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names in it.
    async ({}, use) => {
      const site = await startSite()
      await use(site)
      await site.stop()
    },
    { scope: 'worker' },
  ],

  site: [async ({ firebase, server }, use) => use(firebase ?? server), { scope: 'worker' }],

  shared: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names in it.
    async ({}, use) => {
      let last: { readonly name: string; readonly site: RunningSite } | undefined
      await use(async (name, prepare, env = {}) => {
        if (last?.name === name) return last.site
        await last?.site.stop()
        last = undefined
        const site = await startSite({ env })
        last = { name, site }
        await prepare?.(site)
        return site
      })
      await last?.site.stop()
    },
    { scope: 'worker' },
  ],

  settings: [{}, { option: true }],

  freshServer: async ({ settings, context }, use) => {
    const site = await startSite({ env: settings })
    await use(site)
    await leavePages(context)
    await site.stop()
  },

  ownServer: async ({ server, context }, use) => lend(server, context, use),

  ownFirebase: async ({ firebase }, use) => {
    if (!firebase) throw new Error('there is no Firebase in this mode')
    await firebase.reset()
    await use(firebase)
    await firebase.reset()
  },

  ownSite: async ({ firebase, server, context }, use) => {
    if (firebase) {
      await firebase.reset()
      await use(firebase)
      return firebase.reset()
    }
    await lend(server, context, use)
  },

  context: async ({ context }, use) => {
    const letClocksGo = watchClock(context)
    await use(context)
    await letClocksGo()
  },

  page: async ({ page }, use) => {
    await use(page)
    await endProtocols()
  },

  google: [
    async ({ mode, firebase, context }, use, testInfo) => {
      testInfo.skip(mode === 'firebase' && !firebase, process.env.FIREBASE_MISSING)
      if (firebase) await playGoogle(context, firebase.emulators)
      await use(undefined)
    },
    { auto: true },
  ],

  browserConsole: [
    async ({ context, mode }, use) => {
      const lines: string[] = []
      const places: string[] = []
      const expected: RegExp[] = []
      const [asked, origins] = [new Set<string>(), new Set<string>()]
      const add = (line: string, place: string) => {
        lines.push(line)
        places.push(place)
      }
      context.on('console', (message) => {
        const { url } = message.location()
        // A page that asks whether it is open may ask in vain, and goes on.
        const isAsking = url.endsWith(paths.opening)
        // The window itself asks for the icon of a page, also late: when that was left, and its server has ended.
        const isLate = isUnanswered(message) && !asked.has(originOf(url))
        if (/error|warning|assert/.test(message.type()) && !isAsking && !isLate)
          add(message.text(), url)
      })
      context.on('weberror', (error) => add(`Uncaught ${error.error()}`, error.page()?.url() ?? ''))
      context.on('request', (request) => {
        if (!isOfItsPage(request)) return
        addOrigin(asked, request)
        if (mode === 'embedded' || !GOOGLE.test(request.url())) addOrigin(origins, request)
      })

      await use({ lines, expect: (pattern) => expected.push(pattern) })

      const unexpected = lines.flatMap((line, at) =>
        expected.some((one) => one.test(line)) ? [] : [`${line} (${places[at]})`],
      )
      const missing = expected.filter((one) => !lines.some((line) => one.test(line)))
      expect(unexpected, 'unexpected in the console').toEqual([])
      expect(missing, 'missing in the console').toEqual([])
      expect([...origins].slice(1), 'other origins that were contacted').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

/** For a test that takes long. */
export const long = longOf(test)

/** For tests of what only our own server does; left out for Firebase. */
export const SERVER = { tag: '@server' }

/**
 * For tests of what is the same document for Firebase, to the letter, as a test of the builds holds
 * (`tests/scripts/both-pages.test.ts`), and of what the form does by itself: once is enough.
 */
export const SAME = { tag: '@same' }

/**
 * Gives a worker's server to one test, with nobody on its list. After a test that fails, Playwright
 * starts the worker anew, and with it the server.
 */
async function lend(
  server: RunningSite,
  context: BrowserContext,
  use: (server: RunningSite) => Promise<void>,
) {
  server.empty()
  await use(server)
  await leavePages(context)
  if (server.isWell()) return
  // What is on its way to one that stands still is never to reach the next test.
  await server.kill()
  await server.restart()
}

function addOrigin(origins: Set<string>, request: Request) {
  const { protocol, origin } = new URL(request.url())
  // `data:`, `blob:` and `about:` leave the machine as little as they leave the page.
  if (/^(http|ws)/.test(protocol)) origins.add(origin)
}

/**
 * A clock that is at rest when its test ends, Playwright lets go while the next test begins, without
 * waiting for that: a page of the next test then throws, of a clock that it has not. So it goes on before.
 *
 * @returns lets it go, where the test has stopped it.
 */
function watchClock({ clock }: BrowserContext) {
  let isPaused = false
  const [pauseAt, resume] = [clock.pauseAt.bind(clock), clock.resume.bind(clock)]
  clock.pauseAt = async (time) => {
    isPaused = true
    await pauseAt(time)
  }
  return async () => {
    if (isPaused) await resume()
  }
}

const isUnanswered = (message: ConsoleMessage) =>
  message.text().startsWith('Failed to load resource')

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : '')

/** No page of ours asks while it is empty: that is the window, for the icon of the one before. */
const isOfItsPage = (request: Request) =>
  request.isNavigationRequest() || request.frame().url() !== 'about:blank'

/** A page that still asked when its server ended would say so in the console. */
export async function leavePages(context: BrowserContext) {
  for (const page of context.pages()) await page.goto('about:blank')
}
