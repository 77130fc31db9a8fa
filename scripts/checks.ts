/**
 * Everything that `npm test` checks, one after the other, ending with `N passed, N failed`.
 * `--quick` leaves out what needs a browser and the tests tagged `thorough`.
 */
import { readdirSync } from 'node:fs'
import { browserTests } from './checks/browser-tests.ts'
import { type Counts, summary, total } from './checks/counts.ts'
import { runTool } from './checks/tool.ts'
import { vitest } from './checks/vitest.ts'
import { obtainChromium } from './chromium/obtain-chromium.ts'

// The developer's own environment must not affect the tests.
const settings =
  'PORT HOST DATA_DIR PUBLIC_URL TRUST_PROXY LOG_LEVEL RATE_LIMIT RATE_LIMIT_DAY FIREBASE_WEBAPP_CONFIG ' +
  'STORE SESSION_KEY LINK_KEY GOOGLE_CLOUD_PROJECT GCLOUD_PROJECT GOOGLE_APPLICATION_CREDENTIALS ' +
  'FIRESTORE_EMULATOR_HOST'
for (const setting of settings.split(' ')) delete process.env[setting]

/** A tool that only says yes or no counts as one test. */
async function check(name: string, tool: string, args: readonly string[]): Promise<Counts> {
  const failure = await runTool(name, tool, args)
  return failure === undefined
    ? { passed: 1, failed: [], skipped: [] }
    : { passed: 0, failed: [`${name}: ${failure}`], skipped: [] }
}

const quick = process.argv.includes('--quick')
const counts = [
  await check('Format', 'biome', ['format', '.']),
  await check('Lint', 'biome', ['check', '--formatter-enabled=false', '--error-on-warnings', '.']),
]
for (const config of readdirSync('.').filter((name) =>
  /^tsconfig(\.(?!base)\w+)?\.json$/.test(name),
))
  counts.push(await check(`Types of ${config}`, 'tsc', ['-p', config]))

const build = await check('Build', 'node', ['scripts/build.ts'])
counts.push(build)
if (quick) counts.push(await vitest({ quick, chromium: undefined }))
else {
  // Before the first test that could want it.
  const chromium = await obtainChromium()
  if ('error' in chromium) console.error(`\n${chromium.error}`)
  const path = 'path' in chromium ? chromium.path : undefined
  counts.push(
    await vitest({ quick, chromium: path }),
    build.passed === 1
      ? await browserTests(chromium)
      : { passed: 0, failed: ['Browser tests: there is no page to test'], skipped: [] },
  )
}

const all = total(counts)
console.log(summary(all))
process.exitCode = all.failed.length === 0 ? 0 : 1
