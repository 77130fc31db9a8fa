import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { LockHolder } from '../../store/run-lock.ts'

/** Identifies the machine, its boot and its container, within which a process id is unique. */
export function thisMachine(): string {
  return [
    hostname(),
    // Linux: process ids start again with each boot and in each container.
    orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)),
    orNothing(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Runs. Where a dead run has the lock, runs again in its place. */
export async function insteadOfDead<T extends object>(
  run: (insteadOf?: string) => Promise<T | { by: LockHolder }>,
): Promise<T | { by: LockHolder }> {
  const end = await run()
  return 'by' in end && isDead(end.by) ? run(end.by.owner) : end
}

/**
 * Whether the process that holds the lock is known to have ended; only known on its own machine.
 */
export function isDead({ host, pid }: Pick<LockHolder, 'host' | 'pid'>): boolean {
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
