import type { JSONReport, JSONReportSuite, JSONReportTest } from '@playwright/test/reporter'
import type { Obtained } from '../chromium/obtain-chromium.ts'
import { type Counts, failed, LEFT_TO_TORTURE, slowest } from './counts.ts'
import { runTool } from './tool.ts'
import { withReport } from './with-report.ts'

type NamedTest = JSONReportTest & { readonly name: string }

const NAME = 'Tests in a browser'

/**
 * The tests in a real browser.
 *
 * @param chromium the one, or why there is none. @param isVerbose prints the name of each test.
 */
export async function browserTests(chromium: Obtained, isVerbose: boolean): Promise<Counts> {
  if ('error' in chromium)
    return { passed: 0, failed: [`${NAME}: there is no Chromium`], skipped: [] }
  return withReport(NAME, readPlaywrightReport, (report, env) =>
    runTool('playwright', ['test'], {
      ...env,
      CHROMIUM_PATH: chromium.path,
      ...(isVerbose && { TEST_VERBOSE: '1' }),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    }),
  )
}

/** Counts a report of Playwright's. A test that passed only when tried again has failed. */
export function readPlaywrightReport(text: string): Counts {
  const report: JSONReport = JSON.parse(text)
  const tests = report.suites.flatMap((suite) => testsOf(suite, ''))
  return {
    passed: tests.filter(({ status }) => status === 'expected').length,
    failed: [
      ...tests
        .filter(({ status }) => !['expected', 'skipped'].includes(status))
        .map(({ name, results }) => failed(name, firstErrors(results))),
      ...report.errors.map(({ message }) => message?.split('\n')[0] ?? 'an error outside any test'),
    ],
    skipped: tests
      .filter(({ status }) => status === 'skipped')
      .map(({ name, annotations }) => ({
        name,
        // Any other skip has a reason: only `longOf` of tests/e2e/long.ts gives none.
        reason: annotations.find(({ description }) => description)?.description ?? LEFT_TO_TORTURE,
      })),
    slowest: slowest(
      tests.map(({ name, results }) => ({
        name,
        ms: results.reduce((sum, { duration }) => sum + duration, 0),
      })),
    ),
  }
}

function testsOf(suite: JSONReportSuite, parents: string): NamedTest[] {
  const name = `${parents}${suite.title} › `
  return [
    ...suite.specs.flatMap((spec) =>
      spec.tests.map((test) => ({ ...test, name: `[${test.projectName}] ${name}${spec.title}` })),
    ),
    ...(suite.suites ?? []).flatMap((inner) => testsOf(inner, name)),
  ]
}

/** Of the first try that failed. */
function firstErrors(results: JSONReportTest['results']): string | undefined {
  return results
    .find(({ errors }) => errors.length > 0)
    ?.errors.map(({ message }) => message)
    .join('\n')
}
