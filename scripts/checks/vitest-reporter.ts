import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { type Counts, NO_REASON } from './counts.ts'

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
    .map((group) => ('fullName' in group ? group.fullName : group.relativeModuleId))
  return {
    passed: inState('passed').length,
    failed: [
      ...[...inState('failed'), ...inState('pending')].map((test) => test.fullName),
      ...broken,
      ...faults.map(() => 'an error outside any test'),
    ],
    skipped: inState('skipped').map((test) => {
      const result = test.result()
      const note = result.state === 'skipped' ? result.note : undefined
      const otherwise = test.options.tags?.includes('thorough') ? 'left to npm test' : NO_REASON
      return { name: test.fullName, reason: note ?? otherwise }
    }),
  }
}
