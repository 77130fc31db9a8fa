import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Counts, judge } from './counts.ts'
import { makeTestFolder } from './test-folder.ts'

export interface TestOptions {
  /** Leaves out those tagged `thorough`. */
  readonly isQuick?: boolean
  /** Prints the name of each test. */
  readonly isVerbose: boolean
  /** For the few tests without a browser that look at one too; else they look for one. */
  readonly chromium: string | undefined
}

/** Of Vitest's report in JSON, what is read here. */
interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
}

/** Unit, server and contract tests. */
export function vitest({ isQuick, isVerbose, chromium }: TestOptions): Promise<Counts> {
  const args = ['run', '--allowOnly=false', '--project=quick', '--tagsFilter=!long']
  // A person sees how far it is; elsewhere only what failed.
  const quiet = process.stdout.isTTY ? 'dot' : 'minimal'
  args.push(`--reporter=${isVerbose ? 'verbose' : quiet}`, '--reporter=json')
  // These wait for less than a third of their time, and each worker loads most of our code.
  if (isQuick) args.push('--tagsFilter=!thorough', `--maxWorkers=${availableParallelism() + 1}`)
  else args.push('--project=thorough')
  const env = chromium ? { CHROMIUM_PATH: chromium } : {}
  return counted<VitestReport>(
    (file) => ({ tool: 'vitest', args: [...args, `--outputFile.json=${file}`], env }),
    (report) => ({
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    }),
  )
}

/** Of Playwright's report in JSON, what is read here. */
interface PlaywrightReport {
  readonly stats: Readonly<Record<'expected' | 'unexpected' | 'flaky' | 'skipped', number>>
  readonly errors: readonly unknown[]
}

/** The tests in a real browser. A test that passed only when tried again has failed. */
export async function browserTests(chromium: string | undefined, isVerbose = false) {
  if (!chromium) return judge(undefined, false)
  const args = ['test', `--reporter=${isVerbose ? 'list' : 'dot'},json`]
  return counted<PlaywrightReport>(
    (file) => ({
      tool: 'playwright',
      args,
      env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    }),
    ({ stats, errors }) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + errors.length,
      skipped: stats.skipped,
    }),
  )
}

interface Run {
  readonly tool: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/**
 * Runs a tool in sight of the person, and reads what it leaves in a file. What its tests leave in the
 * temporary folder goes with it, also of those that were killed.
 */
async function counted<Report>(run: (file: string) => Run, countsIn: (report: Report) => Counts) {
  const folder = makeTestFolder()
  const file = join(folder, 'report.json')
  const { tool, args, env } = run(file)
  const child = spawn(tool, args, {
    stdio: 'inherit',
    env: { ...process.env, TMPDIR: folder, ...env },
  })
  // A terminal has told the tool as well, and some abort when they are told twice.
  let stopped: NodeJS.Signals | undefined
  const stop = (signal: NodeJS.Signals) => {
    stopped = signal
    if (signal === 'SIGTERM') child.kill(signal)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  try {
    const [code] = await once(child, 'exit')
    return judge(countsIn(JSON.parse(readFileSync(file, 'utf8'))), code === 0)
  } catch (error) {
    console.error(`${tool} left no report: ${(error as Error).message}`)
    return judge(undefined, false)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    rmSync(folder, { recursive: true, force: true })
    if (stopped) process.exit(stopped === 'SIGINT' ? 130 : 143)
  }
}
