import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { CHROMIUM_ARGS, findChromium } from './scripts/chromium/find-chromium.ts'
import { type EngineName, findEngine } from './tests/e2e/engines/find-engine.ts'

// `npm test` sets the variable. Otherwise it is set here, so that workers need not look again.
if (!process.env.CHROMIUM_PATH) {
  const found = await findChromium()
  if ('tried' in found) throw new Error(['No Chromium starts here.', ...found.tried].join('\n'))
  process.env.CHROMIUM_PATH = found.path
}

const ENGINES = '**/e2e/engines/**'

/** The same few promises in another engine; where that is missing, one test says so. */
function projectOf(engine: EngineName) {
  const testMatch =
    'missing' in findEngine(engine)
      ? '**/e2e/engines/missing.spec.ts'
      : '**/e2e/engines/!(missing).spec.ts'
  return { name: engine, testMatch, use: { engine } }
}

/** Tests in a real browser, with a server of the worker or of their own. */
export default defineConfig<object, { mode: 'embedded' | 'firebase'; engine: EngineName }>({
  testDir: 'tests/e2e',
  // Node reads TypeScript by itself.
  build: { external: ['**/*.ts'] },
  globalSetup: './tests/e2e/global-setup.ts',
  fullyParallel: true,
  // A browser and its server wait for each other.
  workers: availableParallelism() + 1,
  // A test that passes only when tried again has found something.
  retries: 0,
  // Against hanging, not against a busy machine: what is waited for comes in milliseconds on any other.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: 'list',
  projects: [
    // Without what only a server of ours can do, such as to take a form that was sent without
    // script, and without what would be the same once more.
    {
      name: 'firebase',
      testIgnore: ENGINES,
      grepInvert: /@server|@same/,
      use: { mode: 'firebase' },
      // One has the emulators, two virtual machines; it begins first, beside the others.
      workers: 1,
    },
    { name: 'embedded', testIgnore: ['**/firebase-*.spec.ts', ENGINES] },
    projectOf('firefox'),
    projectOf('webkit'),
  ],
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      // One process draws all pages: a new one takes as long as a page.
      args: [
        ...CHROMIUM_ARGS,
        '--renderer-process-limit=1',
        '--disable-site-isolation-trials',
        '--host-resolver-rules=MAP launch.test 127.0.0.1',
      ],
    },
    // A new window for each test would cost three times what the test does. Playwright empties it of
    // cookies, storage, routes and clocks; the protocols that a test speaks end with it.
    reuseContext: true,
  },
})

// With nothing to map, Playwright's own way to write a stack takes a quarter of a worker's time.
Reflect.deleteProperty(Error, 'prepareStackTrace')
