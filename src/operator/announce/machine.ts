import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { LockHolder } from '../../store/run-lock.ts'

/** This machine as it runs now, so exactly that a process id on it means one process. */
export function thisMachine(): string {
  return [
    hostname(),
    // Linux: another start of the machine, or another container on it, counts processes anew.
    orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)),
    orNothing(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Whether a run that has the lock is known to be gone, which can only be told on its own machine. */
export function isDead({ host, pid }: LockHolder): boolean {
  if (host !== thisMachine()) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

function orNothing(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
