import { stripVTControlCharacters } from 'node:util'
import { clock } from './times.ts'

/** Shown for a test that was skipped without a reason. */
export const NO_REASON = 'no reason given'

/** Why `npm test` does not run what takes long. */
export const LEFT_TO_TORTURE = 'left to npm run torture'

export interface TimedTest {
  readonly name: string
  readonly ms: number
}

/** The results of tests. */
export interface Counts {
  readonly passed: number
  /** Each failed test, as `failed` puts it. */
  readonly failed: readonly string[]
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
  /** Those that took longest, the longest first. */
  readonly slowest?: readonly TimedTest[]
}

const MOST_LINES = 100
const MOST_SLOW = 10

/** A failed test in words: its name, and below it what went wrong, where that is known. */
export function failed(name: string, message = ''): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const shown = lines.slice(0, MOST_LINES)
  if (lines.length > MOST_LINES) shown.push(`… and ${lines.length - MOST_LINES} lines more`)
  return [name, ...shown.map((line) => `    ${line}`)].join('\n')
}

export function slowest(tests: readonly TimedTest[]): TimedTest[] {
  return tests.toSorted((one, other) => other.ms - one.ms).slice(0, MOST_SLOW)
}

export function total(counts: readonly Counts[]): Counts {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.flatMap(({ failed }) => failed),
    skipped: counts.flatMap(({ skipped }) => skipped),
    slowest: slowest(counts.flatMap(({ slowest = [] }) => slowest)),
  }
}

/**
 * Holds what a test tool counted against how it ended: one that crashed, or that found no test at
 * all, has failed, whatever it counted.
 *
 * @param counted undefined when the tool left no report.
 * @param failure how the tool ended, if not well.
 */
export function judge(name: string, counted: Counts | undefined, failure?: string): Counts {
  const result = counted ?? { passed: 0, failed: [], skipped: [] }
  const because = (reason: string) => ({ ...result, failed: [`${name}: ${reason}`] })
  if (result.failed.length > 0) return result
  if (failure !== undefined) return because(failure)
  if (result.passed + result.skipped.length === 0) return because('no test was found')
  return result
}

/** The numbers of results, such as `7 passed, 0 failed, 2 skipped`. */
export function inNumbers({ passed, failed, skipped }: Counts): string {
  const counts = [`${passed} passed`, `${failed.length} failed`]
  if (skipped.length > 0) counts.push(`${skipped.length} skipped`)
  return counts.join(', ')
}

/**
 * What stands at the end of a run: the slowest tests, what was not run and why, what failed, the time
 * it took, and the one last line.
 *
 * @param time in words.
 */
export function summary(counts: Counts, time?: string): string {
  const { failed, skipped, slowest = [] } = counts
  const lines = ['']
  if (slowest.length > 0)
    lines.push('Slowest:', ...slowest.map(({ name, ms }) => `  ${clock(ms)} ${name}`), '')
  if (skipped.length > 0) lines.push('Not run:', ...reasons(skipped), '')
  if (failed.length > 0) lines.push('Failed:', ...failed.map((name) => `  ${name}`), '')
  if (time !== undefined) lines.push(time)
  return [...lines, inNumbers(counts)].join('\n')
}

/** A line for each reason, since one missing tool may skip hundreds of tests. */
function reasons(skipped: Counts['skipped']): string[] {
  return [...Map.groupBy(skipped, ({ reason }) => reason)].map(([reason, [first, ...others]]) => {
    const tests = others.length > 0 ? `${first?.name} and ${others.length} more` : first?.name
    return `  ${tests} (${reason})`
  })
}
