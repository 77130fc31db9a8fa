import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { orUndefined } from '../../shared/or-undefined.ts'
import { beginOf, isAlive } from '../../store/living-process.ts'
import type { LockHolder } from '../../store/run-lock.ts'

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

/** Runs. Where a dead run has the lock, runs again in its place. */
export async function insteadOfDead<T extends object>(
  run: (insteadOf?: string) => Promise<T | { by: LockHolder }>,
): Promise<T | { by: LockHolder }> {
  const end = await run()
  return 'by' in end && isDead(end.by) ? run(end.by.owner) : end
}

/** A process that a lock or a log names as sending. */
export type SomeHolder = Pick<LockHolder, 'host' | 'pid'> & Partial<Pick<LockHolder, 'owner'>>

/** This process as the holder of a lock: the owner's name holds when the process began. */
export function newHolder(): LockHolder {
  const owner = [randomUUID(), beginOf(process.pid)].filter(Boolean).join('@')
  return { owner, host: thisMachine(), pid: process.pid }
}

/**
 * Whether the process that holds the lock is known to have ended; only known on its own machine.
 *
 * @param holder without an `owner`, which has the time of its begin, a process is known by its id alone.
 */
export function isDead({ host, pid, owner }: SomeHolder): boolean {
  return host === thisMachine() && !isAlive(pid, owner?.split('@')[1])
}
