import { readFileSync } from 'node:fs'

/** The memory that a process holds, in megabytes; `NaN` where it cannot be known. */
export function residentMemory(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000
  } catch {
    return Number.NaN
  }
}
