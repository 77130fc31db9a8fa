import { type AnnounceOptions, announce } from '../../announcement/announce.ts'
import { Imbalance } from '../../announcement/enlist.ts'
import { holdLock } from '../../announcement/sending/hold-lock.ts'
import { OtherPlan } from '../../announcement/waves/other-plan.ts'
import { AnotherKey } from '../../store/invitations.ts'
import { type LockHolder, LockLost } from '../../store/run-lock.ts'
import type { Store } from '../../store/store.ts'
import { OperatorError } from '../terminal/operator-error.ts'
import type { Out } from '../terminal/out.ts'
import type { RunEnd } from './announce-report.ts'
import { insteadOfDead } from './dead-run.ts'
import { sendingProgress } from './sending-progress.ts'

/** Another run has the lock, and nobody knows that it is dead. */
export class AnotherRuns extends OperatorError {}

/** Sends to everybody once, in place of a run that is dead. @throws OperatorError where another goes on */
export async function runToEnd(
  store: Store,
  options: Omit<AnnounceOptions, 'store' | 'insteadOf' | 'on'>,
  out: Out,
): Promise<RunEnd> {
  const run = (insteadOf?: string) =>
    announce({ ...options, store, insteadOf, on: sendingProgress(out) })

  let end: RunEnd | { by: LockHolder }
  try {
    end = await insteadOfDead(run)
  } catch (error) {
    if (error instanceof OtherPlan) throw new OperatorError(error.message, { cause: error })
    if (error instanceof Imbalance)
      throw new OperatorError(`Nobody was mailed: ${error.message}`, { cause: error })
    if (error instanceof LockLost)
      throw new OperatorError('Stopped: another run has begun meanwhile and goes on.', {
        cause: error,
      })
    if (error instanceof AnotherKey)
      throw new OperatorError(
        'Stopped: invitations have got a new key since this began, and a code by the old one lets nobody in. The same command goes on with the new one.',
        { cause: error },
      )
    throw error
  }
  if ('by' in end) throw anotherRuns(end.by)
  return end
}

/** Takes the lock, in place of a run that is dead. @throws AnotherRuns */
export async function takeLock(store: Store, holder: LockHolder) {
  const lock = await insteadOfDead((insteadOf) => holdLock(store, holder, insteadOf))
  if ('by' in lock) throw anotherRuns(lock.by)
  return lock
}

const anotherRuns = ({ host, pid }: LockHolder) =>
  new AnotherRuns(
    `An announcement is running on ${host} as process ${pid}. If it is dead, its lock runs out within a minute.`,
  )
