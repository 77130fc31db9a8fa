/**
 * `npm run torture`: the long form of `tests/torture`, and all that `npm test` leaves to it. What was
 * survived is on standard output, a row of a table of Markdown each, at once: an hour is long.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { startVitest, type TestCase } from 'vitest/node'
import type { Survived } from '../tests/torture/form.ts'
import { inNumbers } from './checks/counts.ts'
import { testFiles } from './checks/test-files.ts'
import { browserTests } from './checks/test-tools.ts'
import { obtainChromium } from './chromium/obtain-chromium.ts'
import { dateAndMachine } from './report.ts'

const FOLDER = 'tests/torture'
/** A suite of another room that is left to the torture, or is longer in it. */
const HAS_LONG_FORM = /^\/\*\* @module-tag long|\btags: 'long'|\/torture\/form\.ts'$/m
const BROWSERS = 'browsers'

const chosen = process.argv.slice(2)
/** The test file of each section, by its name. */
const files = Object.fromEntries(
  Object.values(testFiles())
    .flat()
    .filter((file) => file.startsWith(FOLDER) || HAS_LONG_FORM.test(readFileSync(file, 'utf8')))
    .map((file) => [sectionOf(file), file]),
)
const sections = [...Object.keys(files), BROWSERS]
if (chosen.some((name) => !sections.includes(name))) {
  console.error('Usage: npm run torture -- [SECTION …]')
  console.error(`Sections: ${sections.join(', ')}`)
  process.exit(2)
}

process.env.TORTURE = 'long'
process.env.TORTURE_SEED ??= String(Math.floor(Math.random() * 2 ** 31))
const started = performance.now()
const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name)
console.log('| section | what was done | times | what came of it |\n| --- | --- | --- | --- |')
const chosenFiles = Object.entries(files).flatMap(([name, file]) => (isChosen(name) ? [file] : []))
const isGood = [
  chosenFiles.length === 0 || (await runFiles(chosenFiles)),
  !isChosen(BROWSERS) || (await runBrowsers()),
].every(Boolean)
const minutes = ((performance.now() - started) / 60_000).toFixed(1)
const outcome = isGood ? 'all of it was survived' : 'FAILED'
console.log(`\n${dateAndMachine()}\nTORTURE_SEED=${process.env.TORTURE_SEED} repeats it`)
console.log(`${outcome}, ${minutes} minutes`)
process.exit(isGood ? 0 : 1)

function sectionOf(file: string): string {
  return (file.startsWith(FOLDER) ? basename(file) : file.slice('tests/'.length)).replace(
    '.test.ts',
    '',
  )
}

/** One file at a time: what one does to the machine is no part of what the next measures. */
async function runFiles(chosenFiles: string[]): Promise<boolean> {
  const vitest = await startVitest(
    'test',
    chosenFiles,
    {
      watch: false,
      fileParallelism: false,
      testTimeout: 1_800_000,
      reporters: ['verbose', { onTestCaseResult: sayRows }],
    },
    {},
    // Progress goes where it is not in the way of the table.
    { stdout: process.stderr },
  )
  const modules = vitest.state.getTestModules()
  const isGood = modules.length > 0 && modules.every((module) => module.ok())
  const faults = vitest.state.getUnhandledErrors()
  await vitest.close()
  return isGood && faults.length === 0
}

/** All browser tests, also those that have no short form in `npm test`. */
async function runBrowsers(): Promise<boolean> {
  const chromium = await obtainChromium()
  if ('error' in chromium) console.error(chromium.error)
  const found = await browserTests('path' in chromium ? chromium.path : undefined)
  const done = 'every state of page and desk in Chromium, Firefox and WebKit'
  sayRow(BROWSERS, { done, times: found.passed, result: inNumbers(found) })
  return found.failed === 0
}

function sayRows(test: TestCase): void {
  const section = sectionOf(test.module.relativeModuleId)
  const result = test.result()
  if (result.state === 'passed') for (const row of test.meta().survived ?? []) sayRow(section, row)
  else {
    const note = result.state === 'skipped' ? `skipped: ${result.note ?? 'no reason given'}` : ''
    sayRow(section, { done: test.fullName, times: 0, result: note || 'FAILED' })
  }
}

function sayRow(section: string, { done, times, result }: Survived): void {
  const cells = [section, done, times === 0 ? '' : times.toLocaleString('en'), result]
  console.log(`| ${cells.join(' | ')} |`)
}
