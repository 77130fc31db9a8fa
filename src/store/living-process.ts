import { readFileSync } from 'node:fs'

/**
 * Whether a process of this machine still runs. One that has ended and that its parent has not asked for
 * (a zombie) does not; nor does one whose number is another's by now.
 *
 * @param begin of the process, as `beginOf` gave it, where that is known.
 */
export function isAlive(pid: number, begin?: string): boolean {
  const now = stateOf(pid)
  if (now) return now.isRunning && (begin === undefined || begin === now.begin)
  try {
    // Without /proc, which Linux alone has and may hide, only this is known.
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** When a process began, in ticks since the boot of the machine; `undefined` where that is not known. */
export function beginOf(pid: number): string | undefined {
  return stateOf(pid)?.begin
}

/** Fields 3 and 22 of https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function stateOf(pid: number): { isRunning: boolean; begin: string | undefined } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program before them may hold anything, brackets and spaces as well.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { isRunning: !/^[ZXx]$/.test(fields[0] ?? ''), begin: fields[19] }
  } catch {
    return undefined
  }
}
