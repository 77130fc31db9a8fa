import type { LockHolder, RunLock } from '../../store/run-lock.ts'

const LEASE_MS = 60_000
const RENEW_EVERY_MS = 15_000

/**
 * Takes the run lock and keeps it while the process lives; one that dies loses it in a minute.
 *
 * @returns who has it instead, or how to let go of it. @throws StoreUnavailable
 */
export async function holdLock(
  store: RunLock,
  holder: LockHolder,
  insteadOf?: string,
): Promise<{ by: LockHolder } | { release: () => Promise<void> }> {
  const by = await store.acquire(holder, LEASE_MS, insteadOf)
  if (by.owner !== holder.owner) return { by }
  // A renewal that fails needs no answer here: whoever goes on without the lock is told by the store.
  const timer = setInterval(
    () => store.renew(holder.owner, LEASE_MS).catch(() => {}),
    RENEW_EVERY_MS,
  )
  return {
    async release() {
      clearInterval(timer)
      // What cannot be let go of now runs out by itself.
      await store.release(holder.owner).catch(() => {})
    },
  }
}
