import type { Counts } from './counts.ts'
import { runTool } from './tool.ts'
import { withReport } from './with-report.ts'

const NAME = 'Tests without a browser'

interface Options {
  /** Leaves out those tagged `thorough`. */
  readonly isQuick: boolean
  /** Prints the name of each test. */
  readonly isVerbose: boolean
  /** For the few of them that look at a browser too; else they look for one. */
  readonly chromium: string | undefined
}

/** Unit, server and contract tests. */
export function vitest({ isQuick, isVerbose, chromium }: Options): Promise<Counts> {
  const args = ['run', '--allowOnly=false', '--reporter=./scripts/checks/vitest-reporter.ts']
  args.push('--tagsFilter=!long')
  // What is left then can share a few processes.
  if (isQuick) args.push('--tagsFilter=!thorough', '--no-isolate')
  if (isVerbose) args.push('--reporter=verbose')
  return withReport(NAME, JSON.parse, (report) =>
    runTool('vitest', args, {
      TEST_REPORT: report,
      ...(isVerbose && { TEST_VERBOSE: '1' }),
      ...(chromium && { CHROMIUM_PATH: chromium }),
    }),
  )
}
