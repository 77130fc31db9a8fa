import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Counts, judge } from './counts.ts'

/**
 * Runs a test tool that leaves a report in a file, and counts what that says.
 *
 * @param read what the text of the report counts.
 * @param run runs the tool, tells it the file, and returns how it failed.
 */
export async function withReport(
  name: string,
  read: (report: string) => Counts,
  run: (file: string) => Promise<string | undefined>,
): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'opening-bell-test-'))
  const file = join(folder, 'report.json')
  try {
    const failure = await run(file)
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
