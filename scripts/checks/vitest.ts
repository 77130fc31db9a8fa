import type { Counts } from './counts.ts'
import { runTool } from './tool.ts'
import { withReport } from './with-report.ts'

const NAME = 'Tests without a browser'
const REPORTERS = ['--reporter=default', '--reporter=./scripts/checks/vitest-reporter.ts']

interface Options {
  /** Leaves out those tagged `thorough`. */
  readonly quick: boolean
  /** For the few of them that look at a browser too; else they look for one. */
  readonly chromium: string | undefined
}

/** Unit, server and contract tests. */
export function vitest({ quick, chromium }: Options): Promise<Counts> {
  const filter = quick ? ['--tagsFilter=!thorough'] : []
  return withReport(NAME, JSON.parse, (report) =>
    runTool(NAME, 'vitest', ['run', '--allowOnly=false', ...filter, ...REPORTERS], {
      TEST_REPORT: report,
      ...(chromium && { CHROMIUM_PATH: chromium }),
    }),
  )
}
