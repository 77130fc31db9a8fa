import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { orUndefined } from '../shared/or-undefined.ts'

/**
 * Whether a process of this machine still runs. A zombie does not, and a process whose id was
 * reused does not either.
 *
 * @param begin of the process, as `beginOf` gave it, if it is known.
 */
export function isAlive(pid: number, begin?: string): boolean {
  const now = stateOf(pid)
  if (now) return now.isRunning && (begin === undefined || begin === now.begin)
  try {
    // Only Linux has /proc, and may hide it; this works everywhere.
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/**
 * When a process began, in ticks since the boot of the machine; `undefined` if that is not known.
 */
export function beginOf(pid: number): string | undefined {
  return stateOf(pid)?.begin
}

/** The command of a process, with its arguments; empty where that is not known. */
export function commandOf(pid: number): string {
  const shown = orUndefined(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  if (shown !== undefined) return shown.replaceAll('\0', ' ')
  const asked = ['-o', 'args=', '-p', String(pid)]
  return orUndefined(() => execFileSync('ps', asked, { encoding: 'utf8', stdio: 'pipe' })) ?? ''
}

/** Fields 3 and 22 of https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function stateOf(pid: number): { isRunning: boolean; begin: string | undefined } | undefined {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The program's name before them may hold anything, also brackets and spaces.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields && { isRunning: !/^[ZXx]$/.test(fields[0] ?? ''), begin: fields[19] }
}
