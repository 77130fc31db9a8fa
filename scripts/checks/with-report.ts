import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Counts, judge } from './counts.ts'
import { makeTestFolder } from './test-folder.ts'

/**
 * Runs a test tool that leaves a report in a file, and counts what that says. What its tests leave
 * in the temporary folder goes with it, also of those that were killed.
 *
 * @param read what the text of the report counts.
 * @param run runs the tool with the settings that it is given, tells it the file, and returns how it
 *   failed.
 */
export async function withReport(
  name: string,
  read: (report: string) => Counts,
  run: (file: string, env: NodeJS.ProcessEnv) => Promise<string | undefined>,
): Promise<Counts> {
  const folder = makeTestFolder()
  const file = join(folder, 'report.json')
  try {
    const failure = await run(file, { TMPDIR: folder })
    return judge(name, readReport(file, read), failure)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readReport(file: string, read: (report: string) => Counts): Counts | undefined {
  try {
    return read(readFileSync(file, 'utf8'))
  } catch {
    // A tool that crashed leaves none, or half of one.
    return undefined
  }
}
