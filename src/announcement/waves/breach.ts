import type { Tally } from '../../store/delivery-ledger.ts'
import type { Departed, KeptWaves, WaveCounts } from '../../store/waves.ts'

/** What stops the waves, as shares from 0 to 1. */
export interface WaveLimits {
  readonly stopShare: number
  readonly stopLeaving: number
}

/** What came of a wave, by itself. */
export interface WaveFigures {
  readonly told: number
  readonly failed: number
  readonly left: number
}

export interface Breach {
  readonly why: 'failing' | 'leaving'
  readonly wave: number
  /** How many failed, or left. */
  readonly people: number
  /** Of how many. */
  readonly of: number
  /** The most that it may be, from 0 to 1. */
  readonly limit: number
}

export function countsOf(tally: Tally, departed: Departed): WaveCounts {
  const { sent, uncertain, failed, sending, queued, untried } = tally
  return {
    tried: sent + uncertain + failed + sending + queued - untried,
    told: sent + uncertain,
    // What a mail server says later by a letter of its own.
    failed: failed + departed.bounced,
    left: departed.unsubscribed + departed.complained,
  }
}

/**
 * What came of the wave since it began. Who leaves counts for the wave after which they did,
 * whichever told them: nobody's clock is asked.
 */
export function figuresOf({ before }: Pick<KeptWaves, 'before'>, now: WaveCounts): WaveFigures {
  const since = (name: 'told' | 'failed' | 'left') => Math.max(0, now[name] - before[name])
  return { told: since('told'), failed: since('failed'), left: since('left') }
}

/** Whether too many failed or left in a wave. While it is under way, of all that it is to reach. */
export function breachOf(
  kept: KeptWaves,
  now: WaveCounts,
  { stopShare, stopLeaving }: WaveLimits,
): Breach | undefined {
  const { told, failed, left } = figuresOf(kept, now)
  const planned = kept.endedAt ? 0 : kept.size
  const reached = Math.max(1, planned, told)
  const tried = Math.max(1, planned, now.tried - kept.before.tried)
  const wave = kept.number
  if (failed / tried > stopShare)
    return { why: 'failing', wave, people: failed, of: tried, limit: stopShare }
  if (left / reached > stopLeaving)
    return { why: 'leaving', wave, people: left, of: reached, limit: stopLeaving }
  return undefined
}
