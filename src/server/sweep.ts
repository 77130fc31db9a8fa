import { setTimeout as sleep } from 'node:timers/promises'
import { endOf, endOfRequests } from '../sign-up/confirmation.ts'
import type { Outbox } from '../store/outbox.ts'
import type { Standings } from '../store/standing.ts'

const SWEEP_EVERY_MS = 3_600_000

type Swept = Pick<Outbox, 'sweepPending' | 'dropRequests'> & Pick<Standings, 'forget'>

/** Sweeps now and every hour until it is closed: also where nobody is asked any more. */
export function sweepUntilClosed(store: Swept): { close(): Promise<void> } {
  const closing = new AbortController()
  const { signal } = closing
  async function run() {
    while (!signal.aborted) {
      // The store says by itself when it is away; an hour later is soon enough.
      await sweep(store).catch(() => {})
      await sleep(SWEEP_EVERY_MS, undefined, { signal, ref: false }).catch(() => {})
    }
  }
  const running = run()
  return {
    async close() {
      closing.abort()
      await running
    },
  }
}

/** Erases who never answered, who was held and did not come back, and letters that never left. */
export async function sweep(store: Swept, now = new Date()): Promise<void> {
  await store.dropRequests(endOfRequests(now))
  for (const email of await store.sweepPending(endOf(now))) await store.forget(email)
}
