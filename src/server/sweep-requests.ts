import { endOfRequests } from '../people/confirmation-lifetime.ts'
import { type Running, rounds } from '../queue/sending-round.ts'
import type { Store } from '../store/store.ts'

const SWEEP_EVERY_MS = 3_600_000

type Swept = Pick<Store, 'requests' | 'standings'>

/**
 * Sweeps now and every hour until it is closed, also after confirmation was turned off.
 *
 * @param log gets a sentence about a fault of ours.
 */
export const sweepUntilClosed = (store: Swept, log: (message: string) => void): Running =>
  rounds({
    round: () => sweep(store).then(() => false),
    nextPause: () => SWEEP_EVERY_MS,
    onFault: (name) => log(`Requests that are over cannot be erased: ${name}`),
  })

/**
 * Erases requests without an answer, held addresses that did not come back, and letters that never
 * left.
 */
export async function sweep(store: Swept, now = new Date()): Promise<void> {
  await store.requests.dropRequests(endOfRequests(now))
  for (const email of await store.requests.sweepPending(now)) await store.standings.forget(email)
}
