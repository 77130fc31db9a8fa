import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits until a process that was sent SIGSTOP stands still. The signal goes to one of its threads,
 * which stops the others once it gets a turn; on a busy machine they go on working until then.
 */
export async function standStill(pid: number): Promise<void> {
  while (!states(pid).every((state) => /^T/i.test(state))) await sleep(1)
}

/** One letter for each thread, where the system tells them apart. */
function states(pid: number): string[] {
  if (process.platform !== 'linux')
    return [spawnSync('ps', ['-o', 'state=', '-p', `${pid}`], { encoding: 'utf8' }).stdout]
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    // A program's name, in brackets, may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2)
  })
}
