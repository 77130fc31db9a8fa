/**
 * Everything that `npm test` checks, one after the other, ending with `N passed, N failed`.
 * `--quick` leaves out what needs a browser and the tests tagged `thorough`; `--verbose` prints the
 * name of each test.
 */
import { readdirSync } from 'node:fs'
import { type Counts, inNumbers, summary, total } from './checks/summary.ts'
import { browserTests, vitest } from './checks/test-tools.ts'
import { clock, processorMs } from './checks/times.ts'
import { runTool } from './checks/tool.ts'
import { obtainChromium } from './chromium/obtain-chromium.ts'

// The developer's own environment must not affect the tests.
const settings =
  'PORT HOST DATA_DIR PUBLIC_URL TRUST_PROXY LOG_LEVEL RATE_LIMIT RATE_LIMIT_DAY FIREBASE_WEBAPP_CONFIG ' +
  'STORE SESSION_KEY LINK_KEY GOOGLE_CLOUD_PROJECT GCLOUD_PROJECT GOOGLE_APPLICATION_CREDENTIALS ' +
  'FIRESTORE_EMULATOR_HOST'
for (const setting of settings.split(' ')) delete process.env[setting]

const begun = performance.now()
const isQuick = process.argv.includes('--quick')
const isVerbose = process.argv.includes('--verbose')
const counts: Counts[] = []

/** Says in a line what came of a section. */
async function section(name: string, checking: Promise<Counts>): Promise<Counts> {
  const start = performance.now()
  const found = await checking
  console.log(`${name.padEnd(28)} ${inNumbers(found)} in ${clock(performance.now() - start)}`)
  counts.push(found)
  return found
}

/** A tool that only says yes or no counts as one test; what it prints is shown where it says no. */
function check(name: string, tool: string, args: readonly string[]): Promise<Counts> {
  const run = async () => {
    let output = ''
    const failure = await runTool(tool, args, {}, (text) => {
      output += text
    })
    if (failure === undefined) return { passed: 1, failed: [], skipped: [] }
    console.log(output)
    return { passed: 0, failed: [`${name}: ${failure}`], skipped: [] }
  }
  return section(name, run())
}

const configs = readdirSync('.').filter((name) => /^tsconfig(\.(?!base)\w+)?\.json$/.test(name))
// At once: none of them changes what another reads.
const [build] = await Promise.all([
  check('Build', 'node', ['scripts/build.ts']),
  check('Format and lint', 'biome', ['check', '--error-on-warnings', '.']),
  ...configs.map((config) => check(`Types of ${config}`, 'tsc', ['-p', config])),
])
const WITHOUT = 'Tests without a browser'
if (isQuick) await section(WITHOUT, vitest({ isQuick, isVerbose, chromium: undefined }))
else {
  // Before the first test that could want it.
  const chromium = await obtainChromium()
  if ('error' in chromium) console.error(`\n${chromium.error}`)
  const path = 'path' in chromium ? chromium.path : undefined
  await section(WITHOUT, vitest({ isQuick, isVerbose, chromium: path }))
  const none = { passed: 0, failed: ['Browser tests: there is no page to test'], skipped: [] }
  await section(
    'Tests in a browser',
    build.passed === 1 ? browserTests(path, isVerbose) : Promise.resolve(none),
  )
}

const all = total(counts)
const processor = processorMs()
const wall = `${clock(performance.now() - begun)} by the clock`
const time = processor === undefined ? wall : `${wall}, ${clock(processor)} of processor`
console.log(summary(all, time))
process.exitCode = all.failed.length === 0 ? 0 : 1
