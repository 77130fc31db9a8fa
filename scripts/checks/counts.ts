import { stripVTControlCharacters } from 'node:util'

/** Shown for a test that was skipped without a reason. */
export const NO_REASON = 'no reason given'

/** The results of tests. */
export interface Counts {
  readonly passed: number
  /** Each failed test, as `failed` puts it. */
  readonly failed: readonly string[]
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
}

const MOST_LINES = 6

/** A failed test in words: its name, and below it how what went wrong begins, where that is known. */
export function failed(name: string, message = ''): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '')
  return [name, ...lines.slice(0, MOST_LINES).map((line) => `    ${line}`)].join('\n')
}

export function total(counts: readonly Counts[]): Counts {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.flatMap(({ failed }) => failed),
    skipped: counts.flatMap(({ skipped }) => skipped),
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
  const { passed, failed, skipped } = counted ?? { passed: 0, failed: [], skipped: [] }
  const because = (reason: string) => ({ passed, failed: [`${name}: ${reason}`], skipped })
  if (failed.length > 0) return { passed, failed, skipped }
  if (failure !== undefined) return because(failure)
  if (passed + skipped.length === 0) return because('no test was found')
  return { passed, failed, skipped }
}

/**
 * What stands at the end of a run: what was not run and why, what failed, and the one last line.
 */
export function summary({ passed, failed, skipped }: Counts): string {
  const lines = ['']
  if (skipped.length > 0) lines.push('Not run:', ...reasons(skipped), '')
  if (failed.length > 0) lines.push('Failed:', ...failed.map((name) => `  ${name}`), '')
  const counts = [`${passed} passed`, `${failed.length} failed`]
  if (skipped.length > 0) counts.push(`${skipped.length} skipped`)
  return [...lines, counts.join(', ')].join('\n')
}

/** A line for each reason, since one missing tool may skip hundreds of tests. */
function reasons(skipped: Counts['skipped']): string[] {
  return [...Map.groupBy(skipped, ({ reason }) => reason)].map(([reason, [first, ...others]]) => {
    const tests = others.length > 0 ? `${first?.name} and ${others.length} more` : first?.name
    return `  ${tests} (${reason})`
  })
}
