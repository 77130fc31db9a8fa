import { type Running, rounds } from '../queue/sending-round.ts'
import type { Store } from '../store/store.ts'

const HOUR_MS = 3_600_000

/** Counts everybody again each night, until it is closed. @param log gets a sentence about a fault of ours. */
export function checkCountsUntilClosed(
  counts: Store['counts'],
  log: (message: string) => void,
): Running {
  const closing = new AbortController()
  return rounds({
    async round() {
      if (isDue(await counts.last(), new Date())) await counts.check(closing.signal)
      return false
    },
    nextPause: () => HOUR_MS,
    onFault: (name) => closing.signal.aborted || log(`The list cannot be counted: ${name}`),
    stop: () => closing.abort(),
  })
}

/** From 2 to 5 by the machine's clock, or at any time where the machine sleeps at night. */
export function isDue(last: { readonly at: Date } | undefined, now: Date): boolean {
  if (!last) return true
  const hours = (now.getTime() - last.at.getTime()) / HOUR_MS
  const isNight = now.getHours() >= 2 && now.getHours() < 5
  // By a clock that was set back since, it was in the future.
  return hours < 0 || hours >= (isNight ? 20 : 48)
}
