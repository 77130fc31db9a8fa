import { readFileSync } from 'node:fs'

/** Of a tick in `/proc`, on every Linux there is. */
const TICK_MS = 10

/** Minutes and seconds, such as `7:05`. */
export function clock(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/**
 * The processor time in milliseconds of this process and of all that it started and saw the end of;
 * undefined where the system does not say. What was left behind when its parent was killed is missing.
 */
export function processorMs(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // A program's name, in brackets, may hold anything. From the twelfth field on: our own user and
  // system time, and those of the children.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0)
}
