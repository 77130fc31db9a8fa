import type { KeptWaves } from '../../store/waves.ts'
import { isOver, isPlanOf } from './agreed.ts'
import { everyInWords, type WavePlan } from './wave-plan.ts'

/** Not everybody is told by the plan that is kept, and another one was asked for, or none. */
export class OtherPlan extends Error {
  override readonly name = 'OtherPlan'
}

/** @throws OtherPlan where `wanted` is not the plan by which the announcement goes out */
export function refuseOtherPlan(
  id: string,
  kept: KeptWaves | undefined,
  wanted: { readonly plan: WavePlan; readonly everyMs: number } | undefined,
): void {
  if (!kept || isOver(kept)) return
  const plan = `--waves ${kept.waves} --every ${everyInWords(kept.everyMs)}`
  if (!wanted)
    throw new OtherPlan(
      `"${id}" goes out in waves, and not everybody is told. To go on: ${plan}. To tell the rest at once: --change-plan.`,
    )
  if (!isPlanOf(kept, wanted.plan, wanted.everyMs))
    throw new OtherPlan(
      `"${id}" goes out by another plan: ${plan}. Say that again to go on, or add --change-plan to take the new one for those who are not told yet.`,
    )
}
