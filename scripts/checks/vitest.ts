import { availableParallelism } from 'node:os'
import { type Counts, LEFT_TO_TORTURE } from './counts.ts'
import { testFiles } from './test-files.ts'
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
export async function vitest({ isQuick, isVerbose, chromium }: Options): Promise<Counts> {
  const args = ['run', '--allowOnly=false', '--reporter=./scripts/checks/vitest-reporter.ts']
  args.push('--project=quick', '--tagsFilter=!long')
  // These wait for less than a third of their time, and each worker loads most of our code.
  if (isQuick) args.push('--tagsFilter=!thorough', `--maxWorkers=${availableParallelism() + 1}`)
  else args.push('--project=thorough')
  if (isVerbose) args.push('--reporter=verbose')
  const counts = await withReport(NAME, JSON.parse, (report, env) =>
    runTool('vitest', args, {
      ...env,
      TEST_REPORT: report,
      ...(isVerbose && { TEST_VERBOSE: '1' }),
      ...(chromium && { CHROMIUM_PATH: chromium }),
    }),
  )
  const { thorough, long } = testFiles()
  const left = [leftOut(long, LEFT_TO_TORTURE)]
  if (isQuick) left.push(leftOut(thorough, 'left to npm test'))
  return { ...counts, skipped: [...counts.skipped, ...left] }
}

/** Whole files of tests count as one. */
const leftOut = (files: readonly string[], reason: string) => ({
  name: `${files.length} whole files of tests`,
  reason,
})
