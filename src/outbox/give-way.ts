import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Long enough to tell, and nothing beside what a mail server takes for a letter. */
const LOOK_MS = 10
const REST_MS = 500
/** The share of the event loop's time from which on whoever comes would wait. */
const BUSY = 0.5

/**
 * Lets visitors go first: a letter takes as much of the processor as tens of sign-ups. Waits for a
 * moment in which nothing is sent, and longer when the event loop was busy in it, whatever with.
 */
export async function giveWay(signal: AbortSignal): Promise<void> {
  const before = performance.eventLoopUtilization()
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {})
  await wait(LOOK_MS)
  if (performance.eventLoopUtilization(before).utilization > BUSY) await wait(REST_MS)
}
