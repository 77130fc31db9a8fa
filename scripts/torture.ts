/**
 * `npm run torture`: the long form of `tests/torture`, and all that `npm test` leaves to it, ending
 * with a table of what was survived.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { startVitest, type TestCase } from 'vitest/node'
import type { Survived } from '../tests/torture/form.ts'
import { type Counts, inNumbers, judge, total } from './checks/counts.ts'
import { testFiles } from './checks/test-files.ts'
import { browserTests } from './checks/test-tools.ts'
import { obtainChromium } from './chromium/obtain-chromium.ts'
import { dateAndMachine, markdownTable } from './report.ts'

const FOLDER = 'tests/torture'
/** A suite of another room that is left to the torture, or is longer in it. */
const HAS_LONG_FORM = /^\/\*\* @module-tag long|\btags: 'long'|\/torture\/form\.ts'$/m
const BROWSERS = 'browsers'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
})
/** The test file of each section, by its name. */
const files = Object.fromEntries(
  Object.values(testFiles())
    .flat()
    .filter((file) => file.startsWith(FOLDER) || HAS_LONG_FORM.test(readFileSync(file, 'utf8')))
    .map((file) => [sectionOf(file), file]),
)
const sections = [...Object.keys(files), BROWSERS]
if (positionals.some((name) => !sections.includes(name))) {
  console.error('Usage: npm run torture -- [--json] [SECTION …]')
  console.error(`Sections: ${sections.join(', ')}`)
  process.exit(2)
}

process.env.TORTURE = 'long'
process.env.TORTURE_SEED ??= String(Math.floor(Math.random() * 2 ** 31))
const started = performance.now()
const chosen = positionals.length > 0 ? positionals : sections
const rows: Row[] = []
const counts: Counts[] = []
const chosenFiles = chosen.flatMap((name) => files[name] ?? [])
if (chosenFiles.length > 0) counts.push(await runFiles(chosenFiles))
if (chosen.includes(BROWSERS)) counts.push(await runBrowsers())

const all = total(counts)
const minutes = ((performance.now() - started) / 60_000).toFixed(1)
const notes = [
  dateAndMachine(),
  `TORTURE_SEED=${process.env.TORTURE_SEED} repeats it`,
  `${inNumbers(all)}, ${minutes} minutes`,
]
if (options.json) console.log(JSON.stringify({ notes, rows }, null, 2))
else {
  const head = ['section', 'what was done', 'times', 'what came of it']
  console.log(['', markdownTable(head, rows.map(cells)), '', ...notes].join('\n'))
}
process.exit(all.failed > 0 ? 1 : 0)

interface Row extends Survived {
  readonly section: string
}

function sectionOf(file: string): string {
  return (file.startsWith(FOLDER) ? basename(file) : file.slice('tests/'.length)).replace(
    '.test.ts',
    '',
  )
}

/** One file at a time: what one does to the machine is no part of what the next measures. */
async function runFiles(chosenFiles: readonly string[]): Promise<Counts> {
  const vitest = await startVitest(
    'test',
    [...chosenFiles],
    {
      watch: false,
      fileParallelism: false,
      testTimeout: 1_800_000,
      // Rows also at once: an hour is long, and a run that is stopped has then said what it saw.
      reporters: ['verbose', { onTestCaseResult: (test) => keep(rowsOf(test)) }],
    },
    {},
    // Progress goes where it is not in the way of the table.
    { stdout: process.stderr },
  )
  const modules = vitest.state.getTestModules()
  const states = modules.flatMap((one) =>
    [...one.children.allTests()].map((test) => test.result().state),
  )
  const isGood = modules.every((one) => one.ok()) && vitest.state.getUnhandledErrors().length === 0
  await vitest.close()
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(
    (state) => states.filter((one) => one === state).length,
  ) as [number, number, number]
  return judge({ passed, failed, skipped }, isGood)
}

/** All browser tests, also those that have no short form in `npm test`. */
async function runBrowsers(): Promise<Counts> {
  const chromium = await obtainChromium()
  if ('error' in chromium) console.error(chromium.error)
  const found = await browserTests('path' in chromium ? chromium.path : undefined)
  const done = 'every state of page and desk in Chromium, Firefox and WebKit'
  keep([{ section: BROWSERS, done, times: found.passed, result: inNumbers(found) }])
  return found
}

function keep(more: readonly Row[]): void {
  rows.push(...more)
  for (const row of more) console.error(`| ${cells(row).join(' | ')} |`)
}

function rowsOf(test: TestCase): Row[] {
  const section = sectionOf(test.module.relativeModuleId)
  const result = test.result()
  if (result.state === 'passed')
    return (test.meta().survived ?? []).map((line) => ({ section, ...line }))
  const what =
    result.state === 'skipped' ? `skipped: ${result.note ?? 'no reason given'}` : 'FAILED'
  return [{ section, done: test.fullName, times: 0, result: what }]
}

function cells({ section, done, times, result }: Row): string[] {
  return [section, done, times === 0 ? '' : times.toLocaleString('en'), result]
}
