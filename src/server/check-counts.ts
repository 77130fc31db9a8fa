import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { untilClosed } from './repeat-until-closed.ts'

const HOUR_MS = 3_600_000

/** Counts everybody again each night, until it is closed. */
export function checkCountsUntilClosed(counts: Store['counts']): { close(): Promise<void> } {
  const closing = new AbortController()
  const { signal } = closing
  async function look() {
    try {
      if (isDue(await counts.last(), new Date())) await counts.check(signal)
    } catch (cause) {
      // The store itself reports an outage, and an hour later is soon enough.
      if (!signal.aborted && !(cause instanceof StoreUnavailable)) throw cause
    }
    return false
  }
  const looking = untilClosed(look, HOUR_MS)
  return {
    async close() {
      closing.abort()
      await looking.close()
    },
  }
}

/** From 2 to 5 by the machine's clock, or at any time where the machine sleeps at night. */
export function isDue(last: { readonly at: Date } | undefined, now: Date): boolean {
  if (!last) return true
  const hours = (now.getTime() - last.at.getTime()) / HOUR_MS
  const isNight = now.getHours() >= 2 && now.getHours() < 5
  // By a clock that was set back since, it was in the future.
  return hours < 0 || hours >= (isNight ? 20 : 48)
}
