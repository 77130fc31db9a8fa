import type { KeptWaves } from '../../store/waves.ts'
import type { RunCount } from '../outlook.ts'
import { isOver } from './agreed.ts'
import { nextWave, nextWaveAt, triedOf, type WavePlan } from './wave-plan.ts'

/** A wave as it will be, if nothing changes. */
export interface PlannedWave {
  readonly number: number
  readonly at: Date
  /** How many letters it sends for the first time. */
  readonly size: number
  /** How many were sent when it ends, by it and before it. */
  readonly inAll: number
}

export interface PlanAheadOptions
  extends Pick<RunCount, 'all' | 'taken' | 'passedOver' | 'letters'> {
  readonly plan: WavePlan
  readonly everyMs: number
  readonly kept: KeptWaves | undefined
  /** Messages a second. */
  readonly rate: number
  readonly now: Date
}

/** The rest of the wave under way, and all later ones that have letters, in order. */
export function* planAhead(options: PlanAheadOptions): Iterable<PlannedWave> {
  const { plan, everyMs, kept, all, passedOver, rate, now } = options
  let inAll = triedOf(options)
  let left = options.letters
  let number = kept?.number ?? 0
  let at = new Date(Math.max(now.getTime(), (kept && !isOver(kept) && kept.nextAt?.getTime()) || 0))
  function* to(wave: { number: number; target: number }, begunAt: Date) {
    const size = Math.min(left, Math.max(0, wave.target - inAll))
    inAll += size
    left -= size
    number = wave.number
    yield { number, at, size, inAll }
    const endedAt = new Date(at.getTime() + (size / rate) * 1000)
    at = new Date(Math.max(endedAt.getTime(), nextWaveAt(begunAt, endedAt, everyMs).getTime()))
  }
  if (kept && !kept.endedAt) {
    const target = kept.isLast ? all : kept.target
    yield* to({ number, target }, kept.begunAt)
  }
  while (left > 0) yield* to(nextWave(plan, number, inAll, all, passedOver), at)
}
