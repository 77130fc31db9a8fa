import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { orUndefined } from '../../shared/or-undefined.ts'
import { beginOf, commandOf, isAlive } from '../../store/living-process.ts'
import type { LockHolder, Run } from '../../store/run.ts'
import type { RunLock } from '../../store/store.ts'

/** Identifies the machine, its boot and its container, within which a process id is unique. */
export function thisMachine(): string {
  return [
    hostname(),
    // Linux: process ids start again with each boot and in each container.
    orUndefined(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)),
    orUndefined(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')),
  ]
    .filter(Boolean)
    .join(' ')
}

/** This process as the holder of a lock: the owner's name holds when the process began. */
export function newHolder(): LockHolder {
  const owner = [randomUUID(), beginOf(process.pid)].filter(Boolean).join('@')
  return { owner, host: thisMachine(), pid: process.pid }
}

/** Whether the process that holds the lock is known to have ended; only known on its own machine. */
export function isDead({ host, pid, owner }: LockHolder): boolean {
  // To the system, 0 and less are groups of processes.
  return host === thisMachine() && (pid < 1 || !isAlive(pid, owner.split('@')[1]))
}

/** Whether a process sends letters: anybody may have written the row of a run that names it. */
export const isAnnouncer = (pid: number) => /\/src\/cli\/main\.ts announce /.test(commandOf(pid))

/** Whether its process lives, as far as that is known. */
export const isRunning = (run: Run | undefined) => run?.isHeld === true && !isDead(run)

/** Whether it ended without a word, as after a kill, or from outside, as with its machine. */
export const isInterrupted = (run: Run | undefined) =>
  run !== undefined && !isRunning(run) && (!run.notes.end || run.notes.end.why === 'ended')

/** The last run of an announcement, with its end if that has come. @throws StoreUnavailable */
export async function lastRun(lock: RunLock, announcement: string): Promise<Run | undefined> {
  const run = await lock.run(announcement)
  // It may have ended since the store was read.
  return run?.isHeld && isDead(run) ? lock.run(announcement) : run
}
