import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killAll } from '../scripts/program.ts'

/** Everything that is written goes here, and is removed at the end. */
export const workFolder = mkdtempSync(join(tmpdir(), 'opening-bell-bench-'))

process.on('exit', () => {
  killAll()
  rmSync(workFolder, { recursive: true, force: true })
})
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143))

/** A folder in it, for one list. */
export function dataFolder(name: string): string {
  const folder = join(workFolder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
