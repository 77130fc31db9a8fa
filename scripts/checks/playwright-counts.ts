import { writeFileSync } from 'node:fs'
import type { FullConfig, Reporter, Suite, TestError } from '@playwright/test/reporter'
import { type Counts, LEFT_TO_TORTURE } from './summary.ts'

/** Leaves the counts in the file `TEST_REPORT`. A test that passed only when tried again has failed. */
export default class CountsReporter implements Reporter {
  #suite: Suite | undefined
  readonly #faults: string[] = []

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#suite = suite
  }

  onError({ message = 'an error outside any test' }: TestError): void {
    this.#faults.push(message)
  }

  onEnd(): void {
    const tests = (this.#suite?.allTests() ?? []).map((test) => ({
      name: test.titlePath().filter(Boolean).join(' › '),
      outcome: test.outcome(),
      // Any other skip has a reason: only `longOf` of tests/e2e/long.ts gives none.
      reason: test.annotations.find(({ description }) => description)?.description,
    }))
    const failed = tests.filter(({ outcome }) => ['unexpected', 'flaky'].includes(outcome))
    const counts: Counts = {
      passed: tests.filter(({ outcome }) => outcome === 'expected').length,
      failed: [...failed.map(({ name }) => name), ...this.#faults],
      skipped: tests
        .filter(({ outcome }) => outcome === 'skipped')
        .map(({ name, reason = LEFT_TO_TORTURE }) => ({ name, reason })),
    }
    writeFileSync(process.env.TEST_REPORT ?? '', JSON.stringify(counts))
  }

  printsToStdio(): boolean {
    return false
  }
}
