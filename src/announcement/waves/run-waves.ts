import type { WavesStop } from '../../shared/end-words.ts'
import { EndedFromOutside } from '../../shared/ended-from-outside.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import type { KeptWaves } from '../../store/waves.ts'
import { noteEnd, noteGoingOn, noteIfItCan } from '../note-end.ts'
import type { RunEnd } from '../tell-everyone.ts'
import { dueAt, isOver } from './agreed.ts'
import { type Agreed, agreementOn } from './agreement.ts'
import { type Breach, breachIn, countsNow, figuresOf, watchOver } from './breach.ts'
import { LOOK_EVERY_MS, realClock, waitFor } from './waiting.ts'
import { waveStage } from './wave-stage.ts'
import type { Ready, WavesEnd, WavesOptions } from './waves-options.ts'

const DAY_MS = 86_400_000

/** Why waves stop with a run that ended so; one that somebody stopped is not kept. */
const stopOf: { readonly [E in RunEnd['why']]?: WavesStop } = {
  failing: 'failing',
  unreachable: 'mail',
  deferring: 'mail',
  unusable: 'mail',
}

/**
 * Sends wave after wave, each once its time has come, the wave before is accounted for, and not too
 * many failed or left. Its whole state is in the store, so that it can be killed at any moment.
 *
 * @throws Refused, LockLost; OtherPlan where another plan is stored, or this one is stored no
 *   longer;
 * StoreUnavailable, except while it waits
 */
export async function runWaves(options: WavesOptions): Promise<WavesEnd> {
  const { announcement, plan, everyMs, lookEveryMs, on, clock = realClock } = options
  const { store, id, signal, holder } = announcement
  const agreement = await agreementOn(options, clock)
  await noteGoingOn(store.notices, id)
  let isFirst = true
  let isBegun = false
  let heldUntil: Date | undefined

  /** One wave, with the wait before it. @returns `undefined` where there is more to do. */
  async function turn(): Promise<WavesEnd | undefined> {
    const found = await agreement.look()
    const agreed = found.isNew ? await agreement.keep(isFirst) : found
    if (!agreed) return waitForRun(found.kept)
    const { kept } = agreed
    const stopped = await stopAt(await breach(kept), kept)
    if (stopped) return stopped

    const early = await waitForWave(kept)
    if (early) return early

    const ready = await options.ready(isFirst)
    if (ready) return send(agreed, ready)
    await stopFor('unready')
    return { why: 'notReady' }
  }

  const breach = (kept: KeptWaves | undefined) => breachIn(store.ledger, id, kept, options)

  async function stopAt(breach: Breach | undefined, kept: KeptWaves | undefined) {
    if (!breach || !kept) return undefined
    await stopFor(breach.why)
    return { why: 'breach', breach, kept } as const
  }

  async function stopFor(why: Exclude<WavesStop, 'mail'>) {
    await agreement.keep(false, why)
    await noteEnd(store.notices, id, { why, answer: '' })
  }

  /** It holds no lock while it waits, so its end is noted only here. */
  async function heardOf(end: WavesEnd): Promise<WavesEnd> {
    if (end.why !== 'interrupted' || !(signal.reason instanceof EndedFromOutside)) return end
    if (end.kept && !isOver(end.kept)) await noteIfItCan(store.notices, id, 'ended')
    return end
  }

  async function waitForRun(kept: KeptWaves | undefined): Promise<WavesEnd | undefined> {
    on.waiting(new Date(clock.now().getTime() + LOOK_EVERY_MS), 'run', kept)
    await clock.pause(LOOK_EVERY_MS, signal)
    return signal.aborted ? { why: 'interrupted', kept } : undefined
  }

  /**
   * Waits until the next wave, or the rest of this one, is due. @returns what ends the wait early.
   */
  async function waitForWave(kept: KeptWaves | undefined): Promise<WavesEnd | undefined> {
    const until = heldUntil ?? dueAt(kept, plan, announcement.includeNew)
    if (until && until > clock.now()) {
      if (!options.wait) return { why: 'notDue', until, kept }
      on.waiting(until, heldUntil ? 'gmail' : 'wave', kept)
      const longest = heldUntil ? DAY_MS : everyMs
      const how = { until, longest, lookEveryMs, clock, signal, on }
      const stopped = await stopAt(await waitFor(how, () => breach(kept)), kept)
      if (stopped) return stopped
      if (signal.aborted) return { why: 'interrupted', kept }
      // The findings of the pre-flight are out of date after the wait.
      isFirst = false
    }
    heldUntil = undefined
    return undefined
  }

  /** Sends the wave, or waits while another run has the lock. */
  async function send({ seen, kept: agreed }: Agreed, ready: Ready): Promise<WavesEnd | undefined> {
    const stage = waveStage({
      store,
      owner: holder.owner,
      selection: announcement,
      plan,
      everyMs,
      seen,
      agreed,
      ...ready,
      message: announcement.message,
      now: clock.now,
    })
    const watch = watchOver(stage, breach)
    const either = AbortSignal.any([signal, watch.signal])
    isBegun = true
    const { letters } = ready
    const wave = { ...announcement, letters, stage, message: stage.message, signal: either }
    const end = await options.run(wave, isFirst).finally(() => {
      watch.end()
      if (stage.kept) agreement.begun()
    })
    isFirst = false
    if (!end) return waitForRun(agreed)
    const tooManyLeft = watch.signal.aborted
    const { kept } = stage
    if (kept) await on.sent(end, kept, figuresOf(kept, await countsNow(store.ledger, id)))
    // The next turn finds the reason.
    if (end.why === 'interrupted' && tooManyLeft && !signal.aborted) return undefined
    if (end.why !== 'done' || !end.balance.holds) {
      const stopped = stopOf[end.why]
      if (stopped) await agreement.keep(false, stopped)
      return { why: 'ended', end }
    }
    heldUntil = stage.heldUntil
    // If no wave was begun, everybody is told, or another run was quicker.
    const last = kept ?? agreed
    return last && isOver(last) ? { why: 'done', end } : undefined
  }

  for (;;) {
    try {
      const end = await turn()
      if (end) return await heardOf(end)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (isFirst || !options.wait) {
        // A wave that is not tried again here.
        if (isBegun) await noteIfItCan(store.notices, id, 'fault')
        throw error
      }
      on.away(error.message)
      await clock.pause(LOOK_EVERY_MS, signal)
    }
    if (signal.aborted) return heardOf({ why: 'interrupted', kept: undefined })
  }
}
