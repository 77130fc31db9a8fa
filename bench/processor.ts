import { readFileSync } from 'node:fs'

/** What Linux counts a process's time in, wherever Node runs. */
const TICK_US = 10_000

/** Processor time that a process has used up to now, in microseconds; `NaN` where it cannot be known. */
export function processorTime(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * TICK_US
  } catch {
    return Number.NaN
  }
}

/** The most memory that a process has held, in megabytes; `NaN` where it cannot be known. */
export function peakMemory(pid: number): number {
  return memory(pid, 'VmHWM')
}

/** The memory that a process holds, in megabytes; `NaN` where it cannot be known. */
export function residentMemory(pid: number): number {
  return memory(pid, 'VmRSS')
}

function memory(pid: number, field: string): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1000
  } catch {
    return Number.NaN
  }
}
