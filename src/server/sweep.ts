import { endOf } from '../sign-up/confirmation.ts'
import { endOfRequests } from '../sign-up/confirmation-lifetime.ts'
import type { Store } from '../store/store.ts'
import { untilClosed } from './repeat-until-closed.ts'

const SWEEP_EVERY_MS = 3_600_000

type Swept = Pick<Store, 'outbox' | 'standings'>

/** Sweeps now and every hour until it is closed: also where nobody is asked any more. */
export function sweepUntilClosed(store: Swept): { close(): Promise<void> } {
  // The store says by itself when it is away; an hour later is soon enough.
  const isDone = () => false
  return untilClosed(() => sweep(store).then(isDone, isDone), SWEEP_EVERY_MS)
}

/** Erases who never answered, who was held and did not come back, and letters that never left. */
export async function sweep(store: Swept, now = new Date()): Promise<void> {
  await store.outbox.dropRequests(endOfRequests(now))
  for (const email of await store.outbox.sweepPending(endOf(now)))
    await store.standings.forget(email)
}
