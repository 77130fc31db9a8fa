import { Refused } from '../../shared/refused.ts'
import type { KeptWaves } from '../../store/waves.ts'
import type { Refusal } from '../refusal.ts'
import { isOver, isPlanOf } from './agreed.ts'
import { everyInWords, type WavePlan } from './wave-plan.ts'

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
