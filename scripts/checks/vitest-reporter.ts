import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node'
import { type Counts, failed, LEFT_TO_TORTURE, NO_REASON, slowest } from './counts.ts'
import { showProgress } from './progress.ts'

/**
 * Shows how far the tests are, and leaves a `Counts` in the file `TEST_REPORT`: Vitest's own JSON has
 * no reasons for a skip. With `TEST_VERBOSE` another reporter shows them.
 */
export default class TallyReporter implements Reporter {
  readonly #progress = process.env.TEST_VERBOSE ? undefined : showProgress()

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#progress?.begin(files.length, 'files')
  }

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result()
    if (state === 'passed') this.#progress?.passed()
    if (state === 'failed') this.#progress?.failed(nameOf(test), causeOf(test.result().errors))
  }

  onTestModuleEnd(): void {
    this.#progress?.done()
  }

  onTestRunEnd(modules: readonly TestModule[], faults: readonly unknown[]): void {
    this.#progress?.end()
    const file = process.env.TEST_REPORT
    if (file) writeFileSync(file, JSON.stringify(countsOf(modules, faults)))
  }
}

/** What tests came to; `faults` are errors outside any of them. */
export function countsOf(modules: readonly TestModule[], faults: readonly unknown[]): Counts {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  const inState = (state: string) => tests.filter((test) => test.result().state === state)
  // A file that cannot be loaded, or a group whose set-up fails, has no failed test to show for it.
  const broken = modules
    .flatMap((module) => [module, ...module.children.allSuites()])
    .filter((group) => group.errors().length > 0)
    .map((group) =>
      failed(
        'fullName' in group ? group.fullName : group.relativeModuleId,
        causeOf(group.errors().slice(0, 1)),
      ),
    )
  return {
    passed: inState('passed').length,
    failed: [
      ...inState('failed').map((test) => failed(nameOf(test), causeOf(test.result().errors))),
      ...inState('pending').map((test) => failed(nameOf(test), 'it did not end')),
      ...broken,
      ...faults.map((fault) => failed('an error outside any test', causeOf([fault]))),
    ],
    skipped: inState('skipped').map((test) => {
      const result = test.result()
      const note = result.state === 'skipped' ? result.note : undefined
      return { name: test.fullName, reason: note ?? leftTo(test.options.tags) }
    }),
    slowest: slowest(
      tests.map((test) => ({ name: nameOf(test), ms: test.diagnostic()?.duration ?? 0 })),
    ),
  }
}

function leftTo(tags: TestCase['options']['tags'] = []): string {
  if (tags.includes('long')) return LEFT_TO_TORTURE
  return tags.includes('thorough') ? 'left to npm test' : NO_REASON
}

const nameOf = (test: TestCase) => `${test.module.relativeModuleId} › ${test.fullName}`

/** What of an error helps: its words, how it differs, and where in our files it was. */
function causeOf(errors: readonly unknown[] = []): string {
  return errors
    .flatMap((error) => {
      const { message, diff, stacks = [] } = (error ?? {}) as Partial<ErrorOfTest>
      return [message, diff, ...stacks.map(({ file, line }) => `at ${file}:${line}`)]
    })
    .filter((part) => typeof part === 'string')
    .join('\n')
}

interface ErrorOfTest {
  readonly message: string
  readonly diff: string
  readonly stacks: readonly { readonly file: string; readonly line: number }[]
}
