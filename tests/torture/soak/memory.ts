import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/** In MB. */
export interface Memory {
  /** What lives after a collection: JavaScript's objects, and what they hold outside the heap. */
  readonly live: number
  /** All that the system has given to the process, after the same collection. */
  readonly resident: number
}

const fileOf = (folder: string) => join(folder, 'memory.json')

/** Has a server collect its garbage and write down what is left, when it is asked. */
export function gauge(folder: string): Record<string, string> {
  const script = join(import.meta.dirname, 'gauge.ts')
  return { NODE_OPTIONS: `--expose-gc --import=${script}`, SOAK_MEMORY: fileOf(folder) }
}

/** What a server holds now, garbage collected. */
export async function memoryOf(folder: string, pid: number): Promise<Memory> {
  const file = fileOf(folder)
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  await expect.poll(() => existsSync(file), { timeout: 30_000 }).toBe(true)
  return JSON.parse(readFileSync(file, 'utf8'))
}
