import { endOf } from '../sign-up/confirmation.ts'
import { endOfRequests } from '../sign-up/holding-time.ts'
import type { Outbox } from '../store/outbox.ts'
import type { Standings } from '../store/standing.ts'
import { untilClosed } from './until-closed.ts'

const SWEEP_EVERY_MS = 3_600_000

type Swept = Pick<Outbox, 'sweepPending' | 'dropRequests'> & Pick<Standings, 'forget'>

/** Sweeps now and every hour until it is closed: also where nobody is asked any more. */
export function sweepUntilClosed(store: Swept): { close(): Promise<void> } {
  // The store says by itself when it is away; an hour later is soon enough.
  const isDone = () => false
  return untilClosed(() => sweep(store).then(isDone, isDone), SWEEP_EVERY_MS)
}

/** Erases who never answered, who was held and did not come back, and letters that never left. */
export async function sweep(store: Swept, now = new Date()): Promise<void> {
  await store.dropRequests(endOfRequests(now))
  for (const email of await store.sweepPending(endOf(now))) await store.forget(email)
}
