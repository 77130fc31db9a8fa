import type { KeptWaves } from '../../store/waves.ts'
import { isOver } from './agreed.ts'
import { nextWave, nextWaveAt, type WavePlan } from './wave-plan.ts'

/** A wave as it will be, if nothing changes. */
export interface PlannedWave {
  readonly number: number
  readonly at: Date
  /** How many it tells. */
  readonly size: number
  /** How many are told when it ends. */
  readonly target: number
}

export interface PlanAheadOptions {
  readonly plan: WavePlan
  readonly everyMs: number
  readonly kept: KeptWaves | undefined
  /** How many recipients there are, without those left out. */
  readonly all: number
  /** How many of these were tried. */
  readonly taken: number
  /** Messages a second. */
  readonly rate: number
  readonly now: Date
}

/** The rest of the wave under way, and all later ones, in order. */
export function* planAhead(options: PlanAheadOptions): Iterable<PlannedWave> {
  const { plan, everyMs, kept, all, rate, now } = options
  let { taken } = options
  let number = kept?.number ?? 0
  let at = new Date(Math.max(now.getTime(), (kept && !isOver(kept) && kept.nextAt?.getTime()) || 0))
  function* to(wave: { number: number; target: number }, begunAt: Date) {
    const size = Math.max(0, wave.target - taken)
    yield { ...wave, at, size }
    const endedAt = new Date(at.getTime() + (size / rate) * 1000)
    taken = Math.max(taken, wave.target)
    number = wave.number
    at = new Date(Math.max(endedAt.getTime(), nextWaveAt(begunAt, endedAt, everyMs).getTime()))
  }
  if (kept && !kept.endedAt) {
    const target = kept.isLast ? all : Math.min(all, kept.target)
    yield* to({ number, target }, kept.begunAt)
  }
  while (taken < all) {
    const { number: next, target } = nextWave(plan, number, taken, all)
    yield* to({ number: next, target }, at)
  }
}
