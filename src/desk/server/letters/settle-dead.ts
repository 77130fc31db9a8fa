import { noteEnd } from '../../../announcement/note-end.ts'
import { isDead, newHolder } from '../../../announcement/run/dead-run.ts'
import { holdLock } from '../../../announcement/sending/lock-lease.ts'
import type { Store } from '../../../store/store.ts'
import type { Standing } from './progress.ts'

/**
 * Marks the last letters of a dead run as uncertain in the ledger, as the next run would: they may
 * have left, and there may be no next run.
 *
 * @returns how many. @throws StoreUnavailable
 */
export async function settleDead(
  store: Store,
  name: string,
  { engine, tally }: Standing,
): Promise<number> {
  if (engine || tally.sending === 0) return 0
  const holder = await store.lock.holder()
  if (holder && !isDead(holder)) return 0
  const wasKilled = holder !== undefined || (await store.lock.isAbandoned(new Date()))
  const ours = newHolder()
  const lock = await holdLock(store.lock, ours, holder?.owner)
  // Another run begins at this moment, and does the same.
  if ('by' in lock) return 0
  try {
    // Taking the dead run's lock removes the only sign by which the server would notice it. A run
    // that released its lock has told why.
    if (wasKilled) await noteEnd(store.notices, name, { why: 'cut-off', answer: '' })
    return await store.ledger.settle(ours.owner, name)
  } finally {
    await lock.release()
  }
}
