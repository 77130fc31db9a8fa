import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter'
import { showProgress } from './progress.ts'

/** Shows how far the tests in a browser are. */
export default class ProgressReporter implements Reporter {
  readonly #progress = showProgress()

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#progress.begin(suite.allTests().length, 'tests')
  }

  onTestEnd(test: TestCase, { status, errors }: TestResult): void {
    if (status === test.expectedStatus && status !== 'skipped') this.#progress.passed()
    else if (status !== 'skipped')
      this.#progress.failed(
        test.titlePath().filter(Boolean).join(' › '),
        errors.map(({ message, snippet }) => [message, snippet].join('\n')).join('\n'),
      )
    this.#progress.done()
  }

  onEnd(): void {
    this.#progress.end()
  }

  printsToStdio(): boolean {
    return true
  }
}
