import { expect, test } from 'vitest'
import { readPlaywrightReport } from '../../scripts/checks/browser-tests.ts'
import { failed, judge, summary, total } from '../../scripts/checks/counts.ts'
import { withReport } from '../../scripts/checks/with-report.ts'

const passed = (count: number) => ({ passed: count, failed: [], skipped: [] })
const skipped = [{ name: 'emulator', reason: 'there is no Java' }]

test('a run ends with one plain line', () => {
  expect(summary(total([passed(3), passed(4)]))).toBe('\n7 passed, 0 failed')
})

test('what failed and what was not run is named above that line, with the reason', () => {
  const lines = summary({ passed: 2, failed: ['Lint: exit code 1'], skipped }).split('\n')
  expect(lines.at(-1)).toBe('2 passed, 1 failed, 1 skipped')
  expect(lines).toContain('  Lint: exit code 1')
  expect(lines).toContain('  emulator (there is no Java)')
})

test('a failed test is named with what went wrong, without colours, and not without end', () => {
  const message = `\u001b[31mexpected 502\u001b[39m\n\nto be 413\n${'more\n'.repeat(150)}`
  expect(failed('proxy', message).split('\n').slice(0, 3)).toEqual([
    'proxy',
    '    expected 502',
    '    to be 413',
  ])
  expect(failed('proxy', message).split('\n')).toHaveLength(102)
  expect(failed('proxy', message)).toContain('… and 52 lines more')
  expect(failed('proxy')).toBe('proxy')
})

test('what one reason kept from running is one line, and all of it is counted', () => {
  const lines = summary({
    passed: 1,
    failed: [],
    skipped: [...skipped, { name: 'rules', reason: 'there is no Java' }],
  }).split('\n')
  expect(lines.at(-1)).toBe('1 passed, 0 failed, 2 skipped')
  expect(lines).toContain('  emulator and 1 more (there is no Java)')
})

test('a tool that crashes has failed, even when all that it counted passed', () => {
  expect(judge('Tests', passed(5), 'ended by SIGKILL').failed).toEqual(['Tests: ended by SIGKILL'])
  expect(judge('Tests', undefined, 'exit code 1').failed).toEqual(['Tests: exit code 1'])
})

test('a tool that finds no test, or leaves no report, has failed', async () => {
  expect(judge('Tests', passed(0)).failed).toEqual(['Tests: no test was found'])
  const silent = await withReport('Tests', JSON.parse, async () => undefined)
  expect(silent.failed).toEqual(['Tests: no test was found'])
})

test('a failed test counts once, beside the exit code that it causes', () => {
  const counted = { passed: 1, failed: ['adds'], skipped }
  expect(judge('Tests', counted, 'exit code 1')).toEqual(counted)
})

test("Playwright's report is counted by test, a flaky one as failed", () => {
  const spec = (title: string, status: string, annotations: object[] = [], errors = ['']) => ({
    title,
    tests: [
      {
        projectName: 'desk',
        status,
        annotations,
        results: errors.map((message) => ({ duration: 20, errors: message ? [{ message }] : [] })),
      },
    ],
  })
  const report = {
    errors: [],
    suites: [
      {
        title: 'form.spec.ts',
        specs: [
          spec('opens', 'expected'),
          spec('trembles', 'flaky', [], ['\u001b[31mTimeout\u001b[39m\n\nof 5 s', '']),
        ],
        suites: [
          {
            title: 'error',
            specs: [
              spec('shows', 'unexpected'),
              spec('buzzes', 'skipped', [{ type: 'skip', description: 'needs a phone' }]),
            ],
          },
        ],
      },
    ],
  }
  expect(readPlaywrightReport(JSON.stringify(report))).toEqual({
    passed: 1,
    failed: [
      '[desk] form.spec.ts › trembles\n    Timeout\n    of 5 s',
      '[desk] form.spec.ts › error › shows',
    ],
    skipped: [{ name: '[desk] form.spec.ts › error › buzzes', reason: 'needs a phone' }],
    slowest: [
      { name: '[desk] form.spec.ts › trembles', ms: 40 },
      { name: '[desk] form.spec.ts › opens', ms: 20 },
      { name: '[desk] form.spec.ts › error › shows', ms: 20 },
      { name: '[desk] form.spec.ts › error › buzzes', ms: 20 },
    ],
  })
})

test('the ten that took longest are named, and how long all of it took', () => {
  const slow = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ name: `test ${n}`, ms: n * 1000 }))
  const both = total([
    { ...passed(9), slowest: slow(9) },
    { ...passed(70), slowest: slow(70) },
  ])
  const lines = summary(both, '6:10 by the clock, 10:00 of processor').split('\n')
  expect(lines.slice(1, 4)).toEqual(['Slowest:', '  1:09 test 69', '  1:08 test 68'])
  expect(lines.filter((line) => line.includes(' test '))).toHaveLength(10)
  expect(lines.slice(-2)).toEqual(['6:10 by the clock, 10:00 of processor', '79 passed, 0 failed'])
})
