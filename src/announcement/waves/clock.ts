import { setTimeout as sleep } from 'node:timers/promises'

/** The clocks of the waves. */
export interface Clock {
  now(): Date
  /** Milliseconds since some moment, by a clock that is never set. */
  elapsed(): number
  /** Ends early when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>
}

export const realClock: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  pause: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
}
