import { Refused } from '../../shared/refused.ts'
import { type LockHolder, LockLost, type NewRun } from '../../store/run-lock.ts'
import type { RunEnded } from '../../store/run-notes.ts'
import type { RunLock } from '../../store/store.ts'
import { refused } from '../refusal.ts'
import { holdLock, type OwnRun } from '../sending/lock-lease.ts'
import { isDead } from './dead-run.ts'

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

/** The same as `holdLock`, also from a run that is dead. @throws StoreUnavailable */
export async function takeLock(lock: RunLock, run: NewRun, insteadOf?: string) {
  const taken = await holdLock(lock, run, insteadOf)
  return 'by' in taken && isDead(taken.by) ? holdLock(lock, run, taken.by.owner) : taken
}

function endedBy(error: unknown, faultText: (error: unknown) => string): RunEnded {
  if (error instanceof Refused) return { why: 'refused', answer: '', refusal: error.why }
  return { why: 'fault', answer: faultText(error) }
}

const anotherRuns = ({ host, pid }: LockHolder) => refused({ code: 'another-runs', host, pid })
