import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from '../../store/subscriber-store.ts'

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

/** The longest pause, in milliseconds: after it the clocks are read again. */
export const LOOK_EVERY_MS = 30_000

export interface WaitingEvents {
  /** The wait lasts this many milliseconds more. */
  left(ms: number): void
  /** The store is away during the wait. */
  away(message: string): void
}

export interface WaitingOptions {
  readonly until: Date
  /** The most that it may take from now, in milliseconds. */
  readonly longest: number
  /** How often `look` is called, in milliseconds; once at the end in any case. */
  readonly lookEveryMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly on: WaitingEvents
}

/**
 * Waits until the time has come or the signal aborts. By both clocks, so that setting a clock makes
 * nothing early. An outage of the store does not end the wait.
 *
 * @param look @returns what ends the wait @returns that, if it was found
 */
export async function waitFor<T>(
  { until, longest, lookEveryMs, clock, signal, on }: WaitingOptions,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const begun = clock.elapsed()
  let lookedAt = begun
  const untilThen = () => until.getTime() - clock.now().getTime()
  // A time that is further off was written by a clock that was ahead.
  const most = Math.min(untilThen(), longest)
  const stillToWait = () => Math.min(untilThen(), most - (clock.elapsed() - begun))
  for (;;) {
    const left = stillToWait()
    if (left <= 0 || signal.aborted) return undefined
    on.left(left)
    await clock.pause(Math.min(left, LOOK_EVERY_MS), signal)
    if (stillToWait() > 0 && clock.elapsed() - lookedAt < lookEveryMs) continue
    lookedAt = clock.elapsed()
    try {
      const found = await look()
      if (found !== undefined) return found
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      on.away(error.message)
    }
  }
}
