import type { WavesStop } from '../../shared/end-words.ts'
import type { DeliveryLedger, Tally } from '../../store/delivery-ledger.ts'
import type { Departed, KeptWaves, WaveCounts } from '../../store/waves.ts'
import { isOver } from './agreed.ts'
import { LOOK_EVERY_MS } from './waiting.ts'

/** What stops the waves, as shares from 0 to 1. */
export interface WaveLimits {
  readonly stopShare: number
  readonly stopLeaving: number
}

/** The result of one wave. */
export interface WaveFigures {
  readonly told: number
  readonly failed: number
  /** With those who were erased since. */
  readonly left: number
  /** Of how many these failed or left: while the wave is under way, of its whole target. */
  readonly of: { readonly failed: number; readonly left: number }
}

export interface Breach {
  readonly why: Extract<WavesStop, 'failing' | 'leaving'>
  readonly wave: number
  /** How many failed or left, with those who were erased, since they may have been among them. */
  readonly people: number
  /** How many of these were erased. */
  readonly erased: number
  /** Out of this many. */
  readonly of: number
  /** The largest allowed share, from 0 to 1. */
  readonly limit: number
}

export function countsOf(tally: Tally, departed: Departed): WaveCounts {
  const { sent, uncertain, failed, sending, queued, untried } = tally
  const { unsubscribed, complained, bounced, erased } = departed
  return {
    tried: sent + uncertain + failed + sending + queued - untried + erased,
    told: sent + uncertain + erased,
    // A bounce is a failure that the mail server reports later.
    failed: failed + bounced,
    left: unsubscribed + complained,
    erased,
  }
}

/**
 * The figures of a wave since it began. Those who leave count for the wave after which they did, no
 * matter which wave told them: so no clock is needed.
 */
export function figuresOf(
  { before, endedAt, size }: Pick<KeptWaves, 'before' | 'endedAt' | 'size'>,
  now: WaveCounts,
): WaveFigures {
  const since = (name: 'told' | 'failed' | 'tried') => Math.max(0, now[name] - before[name])
  const planned = Math.max(1, endedAt ? 0 : size)
  return {
    told: since('told'),
    failed: since('failed'),
    left: withErased('left', before, now),
    of: { failed: Math.max(planned, since('tried')), left: Math.max(planned, since('told')) },
  }
}

/**
 * How many failed or left, if all who were erased meanwhile had. One who had done so before and is
 * erased later still counts as before, so that an erased one hides no other.
 */
function withErased(name: 'failed' | 'left', before: WaveCounts, now: WaveCounts): number {
  return Math.max(0, now[name] - before[name] + erasedSince(before, now))
}

function erasedSince(before: WaveCounts, now: WaveCounts): number {
  return Math.max(0, (now.erased ?? 0) - (before.erased ?? 0))
}

/** Whether too many failed or left in a wave. */
export function breachOf(
  kept: KeptWaves,
  now: WaveCounts,
  { stopShare, stopLeaving }: WaveLimits,
): Breach | undefined {
  const { left, of } = figuresOf(kept, now)
  const failed = withErased('failed', kept.before, now)
  const erased = erasedSince(kept.before, now)
  const wave = kept.number
  if (failed / of.failed > stopShare)
    return { why: 'failing', wave, people: failed, erased, of: of.failed, limit: stopShare }
  if (left / of.left > stopLeaving)
    return { why: 'leaving', wave, people: left, erased, of: of.left, limit: stopLeaving }
  return undefined
}

type Counted = Pick<DeliveryLedger, 'tally' | 'departed'>

/** The counts of an announcement by now. @throws StoreUnavailable */
export async function countsNow(store: Counted, id: string): Promise<WaveCounts> {
  return countsOf(await store.tally(id), await store.departed(id))
}

/** Whether too many failed or left in a wave by now. @throws StoreUnavailable */
export async function breachIn(
  store: Counted,
  id: string,
  kept: KeptWaves | undefined,
  limits: WaveLimits,
): Promise<Breach | undefined> {
  return kept && !isOver(kept) ? breachOf(kept, await countsNow(store, id), limits) : undefined
}

/** Stops a wave that is being sent when too many leave meanwhile. */
export function watchOver(
  stage: { readonly kept: KeptWaves | undefined },
  look: (kept: KeptWaves | undefined) => Promise<Breach | undefined>,
) {
  const stop = new AbortController()
  const timer = setInterval(() => {
    // The run itself waits for a store that is away.
    look(stage.kept).then(
      (breach) => breach && stop.abort(),
      () => {},
    )
  }, LOOK_EVERY_MS)
  return { signal: stop.signal, end: () => clearInterval(timer) }
}
