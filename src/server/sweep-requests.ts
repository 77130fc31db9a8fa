import { endOf } from '../sign-up/confirmation.ts'
import { endOfRequests } from '../sign-up/confirmation-lifetime.ts'
import type { Store } from '../store/store.ts'
import { untilClosed } from './repeat-until-closed.ts'

const SWEEP_EVERY_MS = 3_600_000

type Swept = Pick<Store, 'outbox' | 'standings'>

/** Sweeps now and every hour until it is closed, also after confirmation was turned off. */
export function sweepUntilClosed(store: Swept): { close(): Promise<void> } {
  // The store itself reports an outage, and an hour later is soon enough.
  const isDone = () => false
  return untilClosed(() => sweep(store).then(isDone, isDone), SWEEP_EVERY_MS)
}

/**
 * Erases requests without an answer, held addresses that did not come back, and letters that never
 * left.
 */
export async function sweep(store: Swept, now = new Date()): Promise<void> {
  await store.outbox.dropRequests(endOfRequests(now))
  for (const email of await store.outbox.sweepPending(endOf(now)))
    await store.standings.forget(email)
}
