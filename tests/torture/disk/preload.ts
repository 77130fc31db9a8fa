import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { tempDir } from '../../fixtures/temp-dir.ts'

/**
 * Builds the disk that stands between a process and the system's own.
 *
 * @returns the library for `LD_PRELOAD`, or why there is none.
 */
export function buildDisk(): { library: string } | { missing: string } {
  if (process.platform !== 'linux') return { missing: 'LD_PRELOAD needs Linux' }
  const library = join(tempDir(), 'disk.so')
  const source = join(import.meta.dirname, 'disk.c')
  const { error, status, stderr } = spawnSync(
    'cc',
    ['-shared', '-fPIC', '-O1', '-Wall', '-o', library, source, '-ldl'],
    { encoding: 'utf8' },
  )
  if (error) return { missing: 'there is no C compiler' }
  if (status !== 0) throw new Error(`disk.c could not be built:\n${stderr}`)
  return { library }
}
