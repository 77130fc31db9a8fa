import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

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
