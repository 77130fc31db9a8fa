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

/**
 * What is kept, as the operator wants it from now on: by another plan, or with what stopped it seen
 * and passed over.
 */
export function asAgreed(
  { waves: kept, eligible = 0 }: Announcement,
  plan: WavePlan,
  everyMs: number,
  forgiven: Forgiven | undefined,
): KeptWaves | undefined {
  if (!kept) return undefined
  const isForgiven = forgiven && kept.begunAt.getTime() === forgiven.wave.begunAt.getTime()
  const { failed, left } = isForgiven ? forgiven.counts : kept.before
  const before = { ...kept.before, failed, left }
  if (isPlanOf(kept, plan, everyMs)) return { ...kept, before }
  const { begunAt, endedAt } = kept
  const number =
    'size' in plan
      ? kept.number
      : plan.shares.filter((share) => Math.ceil(share * eligible) <= kept.target).length
  return {
    ...{ ...kept, before, number, waves: wavesInWords(plan), everyMs },
    ...(endedAt && { nextAt: nextWaveAt(begunAt, endedAt, everyMs) }),
  }
}
