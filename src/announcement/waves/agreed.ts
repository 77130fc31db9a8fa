import { Refused } from '../../shared/refused.ts'
import type { Announcement } from '../../store/delivery-ledger.ts'
import type { KeptWaves, WaveCounts } from '../../store/waves.ts'
import type { Refusal } from '../refusal.ts'
import { everyInWords, nextWaveAt, type WavePlan, wavesInWords } from './wave-plan.ts'

/** The wave that the operator looked at, with its counts by then. */
export interface Forgiven {
  readonly wave: KeptWaves
  readonly counts: WaveCounts
}

/** Whether a plan is the stored one. */
export function isPlanOf({ waves, everyMs }: KeptWaves, plan: WavePlan, every: number): boolean {
  return waves === wavesInWords(plan) && everyMs === every
}

/** Whether the stored waves have told everybody. */
export function isOver({ isLast, endedAt }: KeptWaves): boolean {
  return isLast && endedAt !== undefined
}

/** The stored plan is not finished, and another one was asked for, or none. */
export class OtherPlan extends Refused<Refusal> {}

/** @throws OtherPlan where `wanted` is not the plan by which the announcement goes out */
export function refuseOtherPlan(
  id: string,
  kept: KeptWaves | undefined,
  wanted: { readonly plan: WavePlan; readonly everyMs: number } | undefined,
): void {
  if (!kept || isOver(kept)) return
  if (wanted && isPlanOf(kept, wanted.plan, wanted.everyMs)) return
  const { waves, everyMs } = kept
  const every = everyInWords(everyMs)
  throw new OtherPlan({ code: 'other-plan', id, waves, every, isAsked: wanted !== undefined })
}

/** When the next wave is due; `undefined` for at once. */
export function dueAt(
  kept: KeptWaves | undefined,
  plan: WavePlan,
  includeNew: boolean | undefined,
): Date | undefined {
  // After the last wave, only newcomers are left, who belong to no share.
  const isNext = kept && !(isOver(kept) && ('shares' in plan || !includeNew))
  return isNext ? kept.nextAt : undefined
}

/**
 * The stored waves as the operator wants them from now on: by another plan, or with the reason of a
 * stop overridden: they stand still no longer. Another plan ends the wave under way where it is.
 *
 * @param tried how many letters were by now.
 */
export function asAgreed(
  { waves: found, eligible }: Announcement,
  plan: WavePlan,
  everyMs: number,
  forgiven: Forgiven | undefined,
  { tried, now }: { readonly tried: number; readonly now: Date },
): KeptWaves | undefined {
  if (!found) return undefined
  const isForgiven = forgiven && found.begunAt.getTime() === forgiven.wave.begunAt.getTime()
  const { stopped: _, ...kept } = byClock(found, now)
  const counted = { tried: kept.before.tried, told: kept.before.told }
  const before = isForgiven ? { ...forgiven.counts, ...counted } : kept.before
  if (isPlanOf(kept, plan, everyMs)) return { ...kept, before }
  const stands = kept.endedAt ? kept : { target: tried, endedAt: now, isLast: false }
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
 * Corrects a wave whose times are from a clock that was ahead by more than the time between two
 * waves: it has ended by now. A clock that was ahead by less delays the next wave by no more than
 * that, so its times stay: a clock that is set back and forth must not make a wave early.
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

/**
 * Restores times that have come by now: they were right, and the clock was behind when they were
 * replaced.
 */
function asItWas(kept: KeptWaves, now: Date): KeptWaves {
  const { replaced, everyMs } = kept
  if (!replaced || Math.max(replaced.begunAt, replaced.endedAt) > now.getTime()) return kept
  const [begunAt, endedAt] = [new Date(replaced.begunAt), new Date(replaced.endedAt)]
  const nextAt = nextWaveAt(begunAt, endedAt, everyMs)
  return { ...kept, begunAt, endedAt, nextAt, replaced: undefined }
}

/**
 * How many of the shares are reached. Of an unknown number of people, none: `nextWave` skips them.
 */
function passedBy(shares: readonly number[], target: number, eligible: number | undefined): number {
  if (eligible === undefined) return 0
  return shares.filter((share) => Math.ceil(share * eligible) <= target).length
}
