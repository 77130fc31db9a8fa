import { test as base, expect, type Request } from '@playwright/test'
import { type RunningSite, startSite } from '../running-site.ts'

interface BrowserConsole {
  /** Warnings, errors and uncaught exceptions so far. */
  readonly lines: readonly string[]
  /** Says that a line like this may, and must, appear. */
  expect(pattern: RegExp): void
}

interface TestFixtures {
  /** Settings for `ownSite`, as environment variables. */
  settings: Record<string, string>
  /** A server for this test alone: to be stopped, starved and broken. */
  ownSite: RunningSite
  /** Any line that was not expected fails the test, and so does a call to another origin. */
  browserConsole: BrowserConsole
}

interface WorkerFixtures {
  /** A server that stays well, shared by many tests: each leaves addresses of its own. */
  site: RunningSite
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from it.
    async ({}, use) => {
      const site = await startSite()
      await use(site)
      await site.stop()
    },
    { scope: 'worker' },
  ],

  settings: [{}, { option: true }],

  ownSite: async ({ settings }, use) => {
    const site = await startSite({ env: settings })
    await use(site)
    await site.stop()
  },

  browserConsole: [
    async ({ context }, use) => {
      const lines: string[] = []
      const expected: RegExp[] = []
      const origins = new Set<string>()
      context.on('console', (message) => {
        if (/error|warning|assert/.test(message.type())) lines.push(message.text())
      })
      context.on('weberror', (error) => lines.push(`Uncaught ${error.error()}`))
      context.on('request', (request) => addOrigin(origins, request))

      await use({ lines, expect: (pattern) => expected.push(pattern) })

      const unexpected = lines.filter((line) => !expected.some((one) => one.test(line)))
      const missing = expected.filter((one) => !lines.some((line) => one.test(line)))
      expect(unexpected, 'unexpected in the console').toEqual([])
      expect(missing, 'missing in the console').toEqual([])
      expect([...origins].slice(1), 'other origins that were contacted').toEqual([])
    },
    { auto: true },
  ],
})

export { expect }

function addOrigin(origins: Set<string>, request: Request) {
  const { protocol, origin } = new URL(request.url())
  // `data:`, `blob:` and `about:` leave the machine as little as they leave the page.
  if (/^(http|ws)/.test(protocol)) origins.add(origin)
}
