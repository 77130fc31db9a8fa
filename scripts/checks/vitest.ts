import type { Tally } from './tally.ts'
import { runTool } from './tool.ts'
import { withReport } from './with-report.ts'

const NAME = 'Tests without a browser'
const REPORTERS = ['--reporter=default', '--reporter=./scripts/checks/vitest-reporter.ts']

/** Unit, server and contract tests. @param quick leaves out those tagged `thorough`. */
export function vitest({ quick }: { quick: boolean }): Promise<Tally> {
  const filter = quick ? ['--tagsFilter=!thorough'] : []
  return withReport(NAME, JSON.parse, (report) =>
    runTool(NAME, 'vitest', ['run', '--allowOnly=false', ...filter, ...REPORTERS], {
      TEST_REPORT: report,
    }),
  )
}
