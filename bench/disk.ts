import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { figure } from './figures.ts'
import { workFolder } from './processes.ts'
import type { Findings } from './report.ts'

/** How long the disk takes to sync 16 kB, about what a group of sign-ups writes. */
export function measureDisk(): Findings {
  const file = openSync(join(workFolder, 'probe'), 'w')
  const block = Buffer.alloc(16 * 1024, 1)
  const times = Array.from({ length: 300 }, () => {
    writeSync(file, block, 0, block.length, 0)
    const started = performance.now()
    fdatasyncSync(file)
    return performance.now() - started
  })
  closeSync(file)
  return { rows: [{ what: 'fdatasync of 16 kB', figure: figure(times), unit: 'ms' }] }
}
