import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Counts, judge, LEFT_TO_TORTURE } from './summary.ts'
import { testFiles } from './test-files.ts'
import { makeTestFolder } from './test-folder.ts'
import { runTool } from './tool.ts'

export interface TestOptions {
  /** Leaves out those tagged `thorough`. */
  readonly isQuick?: boolean
  /** Prints the name of each test. */
  readonly isVerbose: boolean
  /** For the few tests without a browser that look at one too; else they look for one. */
  readonly chromium: string | undefined
}

/** Unit, server and contract tests. */
export async function vitest({ isQuick, isVerbose, chromium }: TestOptions): Promise<Counts> {
  const args = ['run', '--allowOnly=false', '--project=quick', '--tagsFilter=!long']
  // A person sees how far it is; elsewhere only what failed.
  const quiet = process.stdout.isTTY ? 'dot' : 'minimal'
  args.push(`--reporter=${isVerbose ? 'verbose' : quiet}`)
  args.push('--reporter=./scripts/checks/vitest-counts.ts')
  // These wait for less than a third of their time, and each worker loads most of our code.
  if (isQuick) args.push('--tagsFilter=!thorough', `--maxWorkers=${availableParallelism() + 1}`)
  else args.push('--project=thorough')
  const counts = await counted('Tests without a browser', (report) =>
    runTool('vitest', args, { ...report, ...(chromium && { CHROMIUM_PATH: chromium }) }),
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

/** The tests in a real browser. */
export function browserTests(chromium: string | undefined, isVerbose = false): Promise<Counts> {
  const shown = isVerbose ? 'list' : 'dot'
  const args = ['test', `--reporter=${shown},./scripts/checks/playwright-counts.ts`]
  return counted('Tests in a browser', async (report) =>
    chromium
      ? runTool('playwright', args, { ...report, CHROMIUM_PATH: chromium })
      : 'there is no Chromium',
  )
}

/**
 * Reads what a tool leaves in a file. What its tests leave in the temporary folder goes with it, also
 * of those that were killed.
 *
 * @param run is told file and folder by its environment, and returns how the tool failed.
 */
async function counted(
  name: string,
  run: (env: NodeJS.ProcessEnv) => Promise<string | undefined>,
): Promise<Counts> {
  const folder = makeTestFolder()
  const file = join(folder, 'report.json')
  try {
    const failure = await run({ TMPDIR: folder, TEST_REPORT: file })
    return judge(name, countsIn(file), failure)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A tool that crashed leaves none, or half of them. */
function countsIn(file: string): Counts | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
