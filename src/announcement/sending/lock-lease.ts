import type { LockHolder, RunLock } from '../../store/run-lock.ts'

const LEASE_MS = 60_000
const RENEW_EVERY_MS = 15_000

/**
 * Takes the run lock and renews it while the process lives. A dead process's lease ends in a
 * minute.
 *
 * @returns the other holder, or a way to release the lock. @throws StoreUnavailable
 */
export async function holdLock(
  lock: RunLock,
  holder: LockHolder,
  insteadOf?: string,
): Promise<{ by: LockHolder } | { release: () => Promise<void> }> {
  const by = await lock.acquire(holder, LEASE_MS, insteadOf)
  if (by.owner !== holder.owner) return { by }
  // A failed renewal is ignored here: the store checks the lock in every step of a run.
  const timer = setInterval(
    () => lock.renew(holder.owner, LEASE_MS).catch(() => {}),
    RENEW_EVERY_MS,
  )
  return {
    async release() {
      clearInterval(timer)
      // If this fails, the lease expires by itself.
      await lock.release(holder.owner).catch(() => {})
    },
  }
}
