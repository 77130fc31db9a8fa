/**
 * Loaded into a server before its own code: at SIGUSR2 it collects its garbage and writes down, in MB,
 * what it still holds. Until then it does nothing.
 */
import { renameSync, writeFileSync } from 'node:fs'

const MB = 1_000_000
const { SOAK_MEMORY: file } = process.env

if (file)
  process.on('SIGUSR2', () => {
    for (let n = 0; n < 3; n += 1) globalThis.gc?.()
    const { heapUsed, external, rss } = process.memoryUsage()
    writeFileSync(
      `${file}.part`,
      JSON.stringify({ live: (heapUsed + external) / MB, resident: rss / MB }),
    )
    renameSync(`${file}.part`, file)
  })
