import { isDeepStrictEqual } from 'node:util'
import type { WavesStop } from '../../shared/end-words.ts'
import type { KeptWaves } from '../../store/waves.ts'
import { stageCounts } from '../tell-everyone.ts'
import { asAgreed, type Forgiven, isOver, isPlanOf, OtherPlan, refuseOtherPlan } from './agreed.ts'
import { countsNow } from './breach.ts'
import type { Clock } from './waiting.ts'
import { triedOf } from './wave-plan.ts'
import type { WavesOptions } from './waves-options.ts'

/** The waves as the store has them, and as the operator wants them. */
export interface Agreed {
  readonly seen: KeptWaves | undefined
  /** The same as the operator wants them from now on. */
  readonly kept: KeptWaves | undefined
}

/** Reconciles the stored waves with the operator's wishes. @throws StoreUnavailable */
export async function agreementOn(options: WavesOptions, clock: Clock) {
  const { plan, everyMs, announcement, changePlan } = options
  const { store, id, holder } = announcement
  let forgiven = options.goOn ? await seenBy(options) : undefined
  /** From then on only another command changes the plan. */
  let isKept = false

  /** @throws OtherPlan where another plan is stored, or this one is stored no longer */
  async function look() {
    const found = await store.ledger.findAnnouncement(id)
    const seen = found?.waves
    if (isKept && !seen) throw new OtherPlan({ code: 'no-waves-any-more', id })
    if (isKept || !changePlan) refuseOtherPlan(id, seen, options)
    isKept ||= seen !== undefined && isPlanOf(seen, plan, everyMs)
    // Only a wave under way needs the count.
    const counts = seen && !seen.endedAt ? await stageCounts(store.ledger, id) : undefined
    const at = { tried: counts ? triedOf(counts) : 0, now: clock.now() }
    const kept = found && asAgreed(found, plan, everyMs, forgiven, at)
    const isNew = seen !== undefined && !isOver(seen) && !isDeepStrictEqual(seen, kept)
    return { seen, kept, isNew }
  }

  /**
   * Stores what the operator wants, before the next wave.
   *
   * @param stopped why the waves stop, if they do. @returns `undefined` while another run has the lock.
   */
  async function keep(isFirst: boolean, stopped?: WavesStop): Promise<Agreed | undefined> {
    const lock = await options.hold(isFirst)
    if (!lock) return undefined
    try {
      const { kept: agreed } = await look()
      // Another run may have told everybody meanwhile.
      const isStopped = stopped && agreed && !isOver(agreed)
      const kept = isStopped ? { ...agreed, stopped } : agreed
      if (kept) await store.ledger.keepWaves(holder.owner, id, kept)
      isKept = kept !== undefined
      forgiven = undefined
      return { seen: kept, kept }
    } finally {
      await lock.release()
    }
  }

  return {
    look,
    keep,
    /** A wave was begun by this plan. */
    begun() {
      isKept = true
    },
  }
}

/** The wave that the operator has seen when they give `--go-on`. */
async function seenBy({ announcement }: WavesOptions): Promise<Forgiven | undefined> {
  const { store, id } = announcement
  const wave = (await store.ledger.findAnnouncement(id))?.waves
  return wave && { wave, counts: await countsNow(store.ledger, id) }
}
