import type { Announcement } from '../../store/delivery-ledger.ts'
import type { KeptWaves, WaveCounts } from '../../store/waves.ts'
import { nextWaveAt, type WavePlan, wavesInWords } from './wave-plan.ts'

/** The wave that the operator looked at, and what had become of it by then. */
export interface Forgiven {
  readonly wave: KeptWaves
  readonly counts: WaveCounts
}

/** Whether a plan is that which is kept. */
export function isPlanOf({ waves, everyMs }: KeptWaves, plan: WavePlan, every: number): boolean {
  return waves === wavesInWords(plan) && everyMs === every
}

/** Whether everybody was told by the waves that are kept. */
export function isOver({ isLast, endedAt }: KeptWaves): boolean {
  return isLast && endedAt !== undefined
}

/** When the next wave is due; `undefined` for at once. */
export function dueAt(
  kept: KeptWaves | undefined,
  plan: WavePlan,
  includeNew: boolean | undefined,
): Date | undefined {
  // After the last one, only those who came since are left, whom no share waits for.
  const isNext = kept && !(isOver(kept) && ('shares' in plan || !includeNew))
  return isNext ? kept.nextAt : undefined
}

/**
 * What is kept, as the operator wants it from now on: by another plan, or with what stopped it seen
 * and passed over. Another plan ends the wave that is under way where it stands.
 *
 * @param taken how many were tried by now.
 */
export function asAgreed(
  { waves: found, eligible }: Announcement,
  plan: WavePlan,
  everyMs: number,
  forgiven: Forgiven | undefined,
  { taken, now }: { readonly taken: number; readonly now: Date },
): KeptWaves | undefined {
  if (!found) return undefined
  const isForgiven = forgiven && found.begunAt.getTime() === forgiven.wave.begunAt.getTime()
  const kept = byClock(found, now)
  const { tried, told } = kept.before
  const before = isForgiven ? { ...forgiven.counts, tried, told } : kept.before
  if (isPlanOf(kept, plan, everyMs)) return { ...kept, before }
  const stands = kept.endedAt ? kept : { target: taken, endedAt: now, isLast: false }
  const { target, endedAt = now, isLast } = stands
  return {
    ...kept,
    before,
    waves: wavesInWords(plan),
    everyMs,
    target,
    endedAt,
    isLast,
    number: 'size' in plan ? kept.number : passedBy(plan.shares, target, eligible),
    nextAt: nextWaveAt(kept.begunAt, endedAt, everyMs),
  }
}

/**
 * A wave whose times a clock wrote that was ahead by more than lies between two waves: it has ended by
 * now. What is ahead by less makes the next one late by no more than that, and is left, since a clock
 * that is set back and forth again must make none early.
 */
function byClock(found: KeptWaves, now: Date): KeptWaves {
  const kept = asItWas(found, now)
  const { begunAt, endedAt, everyMs } = kept
  if (!endedAt || Math.max(begunAt.getTime(), endedAt.getTime()) <= now.getTime() + everyMs)
    return kept
  const [begun, ended] = [begunAt, endedAt].map((at) => (at > now ? now : at)) as [Date, Date]
  return {
    ...kept,
    begunAt: begun,
    endedAt: ended,
    nextAt: nextWaveAt(begun, ended, everyMs),
    replaced: kept.replaced ?? { begunAt: begunAt.getTime(), endedAt: endedAt.getTime() },
  }
}

/** Times that have come were not ahead: the clock was behind when they were taken for that. */
function asItWas(kept: KeptWaves, now: Date): KeptWaves {
  const { replaced, everyMs } = kept
  if (!replaced || Math.max(replaced.begunAt, replaced.endedAt) > now.getTime()) return kept
  const [begunAt, endedAt] = [new Date(replaced.begunAt), new Date(replaced.endedAt)]
  const nextAt = nextWaveAt(begunAt, endedAt, everyMs)
  return { ...kept, begunAt, endedAt, nextAt, replaced: undefined }
}

/** How many of the shares are behind. Of an unknown number of people none is: `nextWave` passes them. */
function passedBy(shares: readonly number[], target: number, eligible: number | undefined): number {
  if (eligible === undefined) return 0
  return shares.filter((share) => Math.ceil(share * eligible) <= target).length
}
