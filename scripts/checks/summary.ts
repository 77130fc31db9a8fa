import type { TestCase, TestModule } from 'vitest/node'

/** Why `npm test` does not run what takes long. */
export const LEFT_TO_TORTURE = 'left to npm run torture'

/** The results of tests; what failed is whole in the output of the tool that ran it. */
export interface Counts {
  readonly passed: number
  readonly failed: readonly string[]
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
}

/** What Vitest's tests came to; `faults` are errors outside any of them. */
export function countsOf(modules: readonly TestModule[], faults: readonly unknown[]): Counts {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const inState = (...states: string[]) =>
    tests.filter((test) => states.includes(test.result().state))
  // A file that cannot be loaded, or a group whose set-up fails, has no failed test to show for it.
  const groups = modules.flatMap((module) => [module, ...module.children.allSuites()])
  const broken = groups.filter((group) => group.errors().length > 0)
  return {
    passed: inState('passed').length,
    failed: [
      ...inState('failed', 'pending').map(nameOf),
      ...broken.map((one) => ('fullName' in one ? one.fullName : one.relativeModuleId)),
      ...faults.map((fault) => `an error outside any test: ${fault}`),
    ],
    skipped: inState('skipped').map((test) => ({ name: nameOf(test), reason: reasonOf(test) })),
  }
}

const nameOf = (test: TestCase) => `${test.module.relativeModuleId} › ${test.fullName}`

function reasonOf(test: TestCase): string {
  const result = test.result()
  if (result.state === 'skipped' && result.note) return result.note
  if (test.options.tags?.includes('long')) return LEFT_TO_TORTURE
  return test.options.tags?.includes('thorough') ? 'left to npm test' : 'no reason given'
}

export function total(counts: readonly Counts[]): Counts {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.flatMap(({ failed }) => failed),
    skipped: counts.flatMap(({ skipped }) => skipped),
  }
}

/**
 * Holds what a tool counted against how it ended: one that crashed or found no test has failed.
 *
 * @param counted undefined when the tool left no report. @param failure how it ended, if not well.
 */
export function judge(name: string, counted: Counts | undefined, failure?: string): Counts {
  const result = counted ?? { passed: 0, failed: [], skipped: [] }
  if (result.failed.length > 0) return result
  const isEmpty = result.passed + result.skipped.length === 0
  const reason = failure ?? (isEmpty ? 'no test was found' : undefined)
  return reason === undefined ? result : { ...result, failed: [`${name}: ${reason}`] }
}

/** The numbers of results, such as `7 passed, 0 failed, 2 skipped`. */
export function inNumbers({ passed, failed, skipped }: Counts): string {
  const numbers = [`${passed} passed`, `${failed.length} failed`]
  return [...numbers, ...(skipped.length > 0 ? [`${skipped.length} skipped`] : [])].join(', ')
}

/** What was not run, by the reason; what failed; the time; and the one last line. */
export function summary(counts: Counts, time: string): string {
  const byReason = [...Map.groupBy(counts.skipped, ({ reason }) => reason)]
  const skipped = byReason.map(([reason, [first, ...others]]) => {
    const more = others.length > 0 ? ` and ${others.length} more` : ''
    return `  ${first?.name}${more} (${reason})`
  })
  return [
    ...(skipped.length > 0 ? ['', 'Not run:', ...skipped] : []),
    ...(counts.failed.length > 0 ? ['', 'Failed:', ...counts.failed.map((one) => `  ${one}`)] : []),
    ...['', time, inNumbers(counts)],
  ].join('\n')
}
