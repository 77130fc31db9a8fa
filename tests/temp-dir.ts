import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty folder for the test that runs; it goes when the test ends. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'opening-bell-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}
