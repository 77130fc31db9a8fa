import { endOfRequests } from '../people/confirmation-lifetime.ts'
import type { Store } from '../store/store.ts'
import { untilClosed } from './repeat-until-closed.ts'

const SWEEP_EVERY_MS = 3_600_000

type Swept = Pick<Store, 'requests' | 'standings'>

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
  await store.requests.dropRequests(endOfRequests(now))
  for (const email of await store.requests.sweepPending(now)) await store.standings.forget(email)
}
