import { AnotherKey } from '../../store/invitations.ts'
import type { RunLock } from '../../store/run-lock.ts'
import { type LockHolder, LockLost } from '../../store/run-lock.ts'
import { Refused } from '../refusal.ts'
import { holdLock } from '../sending/lock-lease.ts'
import { type AnnounceEnd, type AnnounceOptions, announce } from '../tell-everyone.ts'
import { insteadOfDead } from './dead-run.ts'

export type RunEnd = Exclude<AnnounceEnd, { why: 'locked' }>

/** Another run has the lock, and nobody knows that it is dead. */
export class AnotherRuns extends Refused {}

/** Sends to everybody once, in place of a run that is dead. @throws Refused where another goes on */
export async function runToEnd(options: Omit<AnnounceOptions, 'insteadOf'>): Promise<RunEnd> {
  try {
    const end = await insteadOfDead<RunEnd>((insteadOf) => announce({ ...options, insteadOf }))
    if ('by' in end) throw anotherRuns(end.by)
    return end
  } catch (cause) {
    if (cause instanceof LockLost) throw new Refused({ code: 'overtaken' }, { cause })
    if (cause instanceof AnotherKey) throw new Refused({ code: 'other-key-since' }, { cause })
    throw cause
  }
}

/** Takes the lock, in place of a run that is dead. @throws AnotherRuns */
export async function takeLock(store: RunLock, holder: LockHolder) {
  const lock = await insteadOfDead((insteadOf) => holdLock(store, holder, insteadOf))
  if ('by' in lock) throw anotherRuns(lock.by)
  return lock
}

const anotherRuns = ({ host, pid }: LockHolder) =>
  new AnotherRuns({ code: 'another-runs', host, pid })
