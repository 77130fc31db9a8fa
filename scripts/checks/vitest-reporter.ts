import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { type Counts, failed, NO_REASON } from './counts.ts'

/** Leaves a `Counts` in the file `TEST_REPORT`: Vitest's own JSON has no reasons for a skip. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], faults: readonly unknown[]): void {
    const file = process.env.TEST_REPORT
    if (file) writeFileSync(file, JSON.stringify(countsOf(modules, faults)))
  }
}

function countsOf(modules: readonly TestModule[], faults: readonly unknown[]): Counts {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const inState = (state: string) => tests.filter((test) => test.result().state === state)
  // A file that cannot be loaded, or a group whose set-up fails, has no failed test to show for it.
  const broken = modules
    .flatMap((module) => [module, ...module.children.allSuites()])
    .filter((group) => group.errors().length > 0)
    .map((group) =>
      failed(
        'fullName' in group ? group.fullName : group.relativeModuleId,
        group.errors()[0]?.message,
      ),
    )
  return {
    passed: inState('passed').length,
    failed: [
      ...inState('failed').map((test) => failed(test.fullName, test.result().errors?.[0]?.message)),
      ...inState('pending').map((test) => failed(test.fullName, 'it did not end')),
      ...broken,
      ...faults.map((fault) => failed('an error outside any test', messageOf(fault))),
    ],
    skipped: inState('skipped').map((test) => {
      const result = test.result()
      const note = result.state === 'skipped' ? result.note : undefined
      const otherwise = test.options.tags?.includes('thorough') ? 'left to npm test' : NO_REASON
      return { name: test.fullName, reason: note ?? otherwise }
    }),
  }
}

function messageOf(fault: unknown): string | undefined {
  const message = (fault as { message?: unknown } | null)?.message
  return typeof message === 'string' ? message : undefined
}
