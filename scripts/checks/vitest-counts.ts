import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { countsOf } from './summary.ts'

/** Leaves the counts in the file `TEST_REPORT`: Vitest's own JSON has no reasons for a skip. */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], faults: readonly unknown[]): void {
    writeFileSync(process.env.TEST_REPORT ?? '', JSON.stringify(countsOf(modules, faults)))
  }
}
