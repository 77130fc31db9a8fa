import type { KeptWaves } from '../../store/waves.ts'
import type { RunCount } from '../outlook.ts'
import { isOver } from './agreed.ts'
import { nextWave, nextWaveAt, type WavePlan } from './wave-plan.ts'

/** A wave as it will be, if nothing changes. */
export interface PlannedWave {
  readonly number: number
  readonly at: Date
  /** How many letters it sends for the first time. */
  readonly size: number
  /** How many were sent when it ends, by it and before it. */
  readonly inAll: number
}

export interface PlanAheadOptions extends Pick<RunCount, 'all' | 'taken' | 'gone' | 'passedOver'> {
  readonly plan: WavePlan
  readonly everyMs: number
  readonly kept: KeptWaves | undefined
  /** Messages a second. */
  readonly rate: number
  readonly now: Date
}

/**
 * The rest of the wave under way, and all later ones, in order. A wave has its target in turns, and
 * those who left are passed over in it.
 */
export function* planAhead(options: PlanAheadOptions): Iterable<PlannedWave> {
  const { plan, everyMs, kept, all, gone, rate, now } = options
  let { taken } = options
  let inAll = taken - options.passedOver
  let passed = 0
  let number = kept?.number ?? 0
  let at = new Date(Math.max(now.getTime(), (kept && !isOver(kept) && kept.nextAt?.getTime()) || 0))
  function* to(wave: { number: number; target: number }, begunAt: Date) {
    let until = Math.max(taken, wave.target)
    const before = passed
    while ((gone[passed] ?? all) < until - options.taken) {
      passed += 1
      until = Math.min(all, until + 1)
    }
    const size = until - taken - (passed - before)
    inAll += size
    yield { number: wave.number, at, size, inAll }
    const endedAt = new Date(at.getTime() + (size / rate) * 1000)
    taken = until
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
