/**
 * Everything that `npm test` checks, one after the other, ending with `N passed, N failed`.
 * `--quick` leaves out what needs a browser and the tests tagged `thorough`; `--verbose` prints the
 * name of each test.
 */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { settings } from '../src/config/settings.ts'
import { type Counts, inNumbers, total } from './checks/counts.ts'
import { browserTests, vitest } from './checks/test-tools.ts'
import { clock, processorMs } from './checks/times.ts'
import { obtainChromium } from './chromium/obtain-chromium.ts'

// The developer's own environment must not affect the tests.
const ofGoogle = ['GCLOUD_PROJECT', 'FIRESTORE_EMULATOR_HOST']
for (const name of [...Object.keys(settings), ...ofGoogle]) delete process.env[name]

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
  const run = promisify(execFile)(tool, args).then(
    () => ({ passed: 1, failed: 0, skipped: 0 }),
    ({ message, stdout = '', stderr = '' }) => {
      console.log(`${stdout}${stderr}\n${name}: ${message}`)
      return { passed: 0, failed: 1, skipped: 0 }
    },
  )
  return section(name, run)
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
  // Without a build there is no page to test.
  const isBuilt = build.failed === 0
  await section('Tests in a browser', browserTests(isBuilt ? path : undefined, isVerbose))
}

const all = total(counts)
const processor = processorMs()
const wall = `${clock(performance.now() - begun)} by the clock`
const time = processor === undefined ? wall : `${wall}, ${clock(processor)} of processor`
console.log(`\n${time}\n${inNumbers(all)}`)
process.exitCode = all.failed === 0 ? 0 : 1
