import { type LockHolder, LockLost, type NewRun } from '../../store/run-lock.ts'
import type { RunNotes } from '../../store/run-notes.ts'
import type { RunLock } from '../../store/store.ts'

const LEASE_MS = 60_000
const RENEW_EVERY_MS = 15_000

/** A run of this process, which has the lock. */
export interface OwnRun {
  readonly owner: string
  /** What it noted of itself. */
  readonly notes: RunNotes
  /** Notes more, which is stored when the lock is renewed or released. */
  keep(more: RunNotes): void
  /** Notes more, and stores it. @throws LockLost, StoreUnavailable */
  note(more: RunNotes): Promise<void>
}

export interface HeldLock extends OwnRun {
  release(): Promise<void>
}

/**
 * Takes the run lock and renews it while the process lives. A dead process's lease ends in a
 * minute.
 *
 * @returns the other holder, or the run that has the lock. @throws StoreUnavailable
 */
export async function holdLock(
  lock: RunLock,
  run: NewRun,
  insteadOf?: string,
): Promise<{ by: LockHolder } | HeldLock> {
  const { owner, announcement = '' } = run
  const by = await lock.acquire(run, LEASE_MS, insteadOf)
  if (by.owner !== owner) return { by }
  let notes = (await lock.run(announcement))?.notes ?? {}
  const renew = () => lock.renew(owner, LEASE_MS, notes)
  const timer = setInterval(
    () =>
      // Other failures are ignored here: the store checks the lock in every step of a run.
      renew().catch((error) => {
        if (error instanceof LockLost) clearInterval(timer)
      }),
    RENEW_EVERY_MS,
  )
  const keep = (more: RunNotes) => {
    notes = { ...notes, ...more }
  }
  return {
    owner,
    get notes() {
      return notes
    },
    keep,
    async note(more) {
      keep(more)
      await renew()
    },
    async release() {
      clearInterval(timer)
      // If this fails, the lease expires by itself.
      await lock.release(owner, notes).catch(() => {})
    },
  }
}
