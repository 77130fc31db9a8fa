import { noteEnd } from '../../../announcement/note-end.ts'
import { isDead, newHolder } from '../../../announcement/run/dead-run.ts'
import { holdLock } from '../../../announcement/sending/lock-lease.ts'
import type { Store } from '../../../store/store.ts'
import type { Standing } from './progress.ts'

/**
 * Nobody knows of the last letters of a run that is dead whether they left. Says so in the ledger, as
 * the next run would, since there may be nobody left for a next one.
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
  // Somebody else begins at this moment, and does the same.
  if ('by' in lock) return 0
  try {
    // With the lock of the dead goes the only sign by which the server would hear of it. Whoever let
    // go of it said why.
    if (wasKilled) await noteEnd(store.notices, name, { why: 'cut-off', answer: '' })
    return await store.ledger.settle(ours.owner, name)
  } finally {
    await lock.release()
  }
}
