/**
 * `npm run torture`: the long form of `tests/torture`, ending with a table of what was survived.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startVitest, type TestCase } from 'vitest/node'
import type { Survived } from '../tests/torture/form.ts'
import { dateAndMachine, markdownTable } from './report.ts'

const FOLDER = 'tests/torture'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
})
/** Suites of other rooms that have a long form too. */
const OTHERS: Readonly<Record<string, string>> = {
  'firestore-summary': 'tests/store/firestore/summary.test.ts',
  update: 'tests/upkeep/update/update.test.ts',
}
const sections = [
  ...readdirSync(FOLDER)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => name.replace('.test.ts', '')),
  ...Object.keys(OTHERS),
]
if (positionals.some((name) => !sections.includes(name))) {
  console.error('Usage: npm run torture -- [--json] [SECTION …]')
  console.error(`Sections: ${sections.join(', ')}`)
  process.exit(2)
}

process.env.TORTURE = 'long'
process.env.TORTURE_SEED ??= String(Math.floor(Math.random() * 2 ** 31))
const started = performance.now()
const chosen = positionals.length > 0 ? positionals : sections
const vitest = await startVitest(
  'test',
  chosen.map((name) => OTHERS[name] ?? join(FOLDER, `${name}.test.ts`)),
  // One at a time: what one does to the machine is no part of what the next measures.
  {
    watch: false,
    fileParallelism: false,
    testTimeout: 1_800_000,
    // Also at once: an hour is long, and a run that is stopped has then said what it saw.
    reporters: ['verbose', { onTestCaseResult: printRows }],
  },
  {},
  // Progress goes where it is not in the way of the table.
  { stdout: process.stderr },
)
const tests = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()])
const failed = tests.filter((test) => !['passed', 'skipped'].includes(test.result().state))
const faults = vitest.state.getUnhandledErrors().length
const rows = tests.flatMap(rowsOf)
const notes = [dateAndMachine(), `TORTURE_SEED=${process.env.TORTURE_SEED} repeats it`, summary()]
if (options.json) console.log(JSON.stringify({ notes, rows }, null, 2))
else {
  const head = ['section', 'what was done', 'times', 'what came of it']
  console.log(['', markdownTable(head, rows.map(cells)), '', ...notes].join('\n'))
}
await vitest.close()
process.exit(failed.length + faults > 0 || tests.length === 0 ? 1 : 0)

interface Row extends Survived {
  readonly section: string
}

function rowsOf(test: TestCase): Row[] {
  const file = test.module.relativeModuleId
  const [other] = Object.entries(OTHERS).find(([, path]) => path === file) ?? []
  const section = other ?? file.replace(`${FOLDER}/`, '').replace('.test.ts', '')
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

function printRows(test: TestCase): void {
  for (const row of rowsOf(test)) console.error(`| ${cells(row).join(' | ')} |`)
}

function summary(): string {
  const skipped = tests.filter((test) => test.result().state === 'skipped').length
  const passed = tests.length - failed.length - skipped
  const minutes = ((performance.now() - started) / 60_000).toFixed(1)
  return `${passed} passed, ${failed.length + faults} failed, ${skipped} skipped, ${minutes} minutes`
}
