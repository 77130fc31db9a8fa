import { type LockHolder, LockLost, type RunLock } from '../../store/run-lock.ts'
import { refused } from '../refusal.ts'
import { holdLock } from '../sending/lock-lease.ts'
import { type AnnounceOptions, announce, type RunEnd } from '../tell-everyone.ts'
import { insteadOfDead } from './dead-run.ts'

/** Sends to everybody once; replaces a dead run. @throws Refused where another run is alive */
export async function runToEnd(options: Omit<AnnounceOptions, 'insteadOf'>): Promise<RunEnd> {
  try {
    const end = await insteadOfDead<RunEnd>((insteadOf) => announce({ ...options, insteadOf }))
    if ('by' in end) throw anotherRuns(end.by)
    return end
  } catch (cause) {
    if (cause instanceof LockLost) throw refused({ code: 'overtaken' }, { cause })
    throw cause
  }
}

/** Takes the lock, also of a dead run. @throws Refused where another run is alive */
export async function takeLock(store: RunLock, holder: LockHolder) {
  const lock = await insteadOfDead((insteadOf) => holdLock(store, holder, insteadOf))
  if ('by' in lock) throw anotherRuns(lock.by)
  return lock
}

const anotherRuns = ({ host, pid }: LockHolder) => refused({ code: 'another-runs', host, pid })
