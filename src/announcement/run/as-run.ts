import { Refused } from '../../shared/refused.ts'
import { type LockHolder, LockLost, type NewRun } from '../../store/run.ts'
import type { RunEnded, RunNotes } from '../../store/run-notes.ts'
import type { RunLock } from '../../store/store.ts'
import { refused } from '../refusal.ts'
import { isDead } from './dead-run.ts'

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

export interface RunBegin extends NewRun {
  /** The owner of a run that this one goes on with: one that the desk began for it. */
  readonly insteadOf?: string | undefined
  /** Once it is aborted, the run is said to be stopping. */
  readonly signal?: AbortSignal | undefined
  /** The words of a fault that may be kept; without it, none are. */
  readonly faultText?: (error: unknown) => string
}

/**
 * Does the work of a run with the lock, which it takes from a dead run as well, and notes how it ended.
 *
 * @throws Refused where another run is alive, or has begun meanwhile; StoreUnavailable
 */
export async function asRun<T>(
  lock: RunLock,
  { insteadOf, signal, faultText = () => '', ...begin }: RunBegin,
  work: (run: OwnRun) => Promise<T>,
): Promise<T> {
  const notes = { next: 'check' as const, ...begin.notes }
  const run = await takeLock(lock, { ...begin, notes }, insteadOf)
  if ('by' in run) throw anotherRuns(run.by)
  const { keep, note } = run
  const stopping = () => void note({ next: 'stop' }).catch(() => {})
  signal?.addEventListener('abort', stopping)
  let isLost = false
  try {
    return await work(run)
  } catch (error) {
    isLost = error instanceof LockLost
    if (isLost) throw refused({ code: 'overtaken' }, { cause: error })
    keep({ end: endedBy(error, faultText) })
    throw error
  } finally {
    signal?.removeEventListener('abort', stopping)
    // Where its lease ran out, as while the machine slept, and nobody has begun another: interrupted.
    if (!isLost && !run.notes.end) keep({ end: { why: 'done', answer: '' } })
    await run.release()
  }
}

/**
 * Takes the run lock, also from a run that is dead, and renews it while this process lives. A dead
 * process's lease ends in a minute.
 *
 * @returns the other holder, or the run that has the lock. @throws StoreUnavailable
 */
export async function takeLock(lock: RunLock, run: NewRun, insteadOf?: string) {
  const { owner, announcement = '' } = run
  const held = await lock.acquire(run, LEASE_MS, insteadOf)
  const isLeft = held.owner !== owner && isDead(held)
  const by = isLeft ? await lock.acquire(run, LEASE_MS, held.owner) : held
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
    async note(more: RunNotes) {
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

function endedBy(error: unknown, faultText: (error: unknown) => string): RunEnded {
  if (error instanceof Refused) return { why: 'refused', answer: '', refusal: error.why }
  return { why: 'fault', answer: faultText(error) }
}

const anotherRuns = ({ host, pid }: LockHolder) => refused({ code: 'another-runs', host, pid })
