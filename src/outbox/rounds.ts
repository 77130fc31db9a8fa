import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from '../store/subscriber-store.ts'

export interface RoundsOptions {
  /** Sends what is due. @returns whether there may be more to do at once. */
  readonly round: () => Promise<boolean>
  /** How long to wait after a round that left nothing to do, in milliseconds. */
  readonly nextPause: () => number
  /** Gets unexpected errors; the store itself reports an outage. */
  readonly onFault: (cause: Error) => void
}

const CLOSE_WITHIN_MS = 5000

/** Runs round after round until it is closed, apart from the answers to visitors. */
export function rounds(options: RoundsOptions): { close(): Promise<void> } {
  const { round, nextPause, onFault } = options
  const closing = new AbortController()
  const { signal } = closing

  async function run() {
    while (!signal.aborted) {
      let isMore = false
      try {
        isMore = await round()
      } catch (cause) {
        if (!(cause instanceof StoreUnavailable)) onFault(cause as Error)
      }
      if (isMore) await giveWay(signal)
      else await sleep(nextPause(), undefined, { signal, ref: false }).catch(() => {})
    }
  }

  const running = run()
  return {
    /** Waits for the round under way, a few seconds at most. */
    async close() {
      closing.abort()
      await Promise.race([running, sleep(CLOSE_WITHIN_MS, undefined, { ref: false })])
    },
  }
}

/** Long enough to measure, and short beside the time that a mail server takes for a letter. */
const LOOK_MS = 10
const REST_MS = 1000
/** From this share of the event loop's time on, visitors would have to wait. */
const BUSY = 0.5

/**
 * Lets visitors go first: a letter takes as much of the processor as tens of sign-ups. Waits for a
 * moment without sending, and longer if the event loop was busy in it.
 */
export async function giveWay(signal: AbortSignal): Promise<void> {
  const before = performance.eventLoopUtilization()
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {})
  await wait(LOOK_MS)
  if (performance.eventLoopUtilization(before).utilization > BUSY) await wait(REST_MS)
}
