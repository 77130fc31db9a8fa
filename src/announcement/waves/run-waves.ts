import { isDeepStrictEqual } from 'node:util'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import type { KeptWaves } from '../../store/waves.ts'
import { type AnnounceEnd, type AnnounceOptions, noteEnd, stageCounts } from '../announce.ts'
import { asAgreed, type Forgiven, isOver, isPlanOf } from './agreed.ts'
import {
  type Breach,
  breachOf,
  countsOf,
  figuresOf,
  type WaveFigures,
  type WaveLimits,
} from './breach.ts'
import { type Clock, realClock } from './clock.ts'
import { OtherPlan, refuseOtherPlan } from './other-plan.ts'
import type { WavePlan } from './wave-plan.ts'
import { type WaveStage, waveStage } from './wave-stage.ts'

const LOOK_EVERY_MS = 30_000
const DAY_MS = 86_400_000

export type WaveRunEnd = Exclude<AnnounceEnd, { why: 'locked' }>

type Given = 'insteadOf' | 'on' | 'stage' | 'first'

export interface WavesOptions extends WaveLimits {
  readonly announcement: Omit<AnnounceOptions, Given>
  readonly plan: WavePlan
  readonly everyMs: number
  /** Stays until everybody is told; else ends where the next wave is not due. */
  readonly wait: boolean
  /** How often it is looked who left while it waits, in milliseconds; once before a wave in any case. */
  readonly lookEveryMs: number
  /** Passes over what failed and who left in the wave that is kept. */
  readonly goOn: boolean
  /** Takes this plan instead of that which is kept: once, and what comes to be kept later stays. */
  readonly changePlan: boolean
  /** Looks for what would spoil a wave. @returns the limit for Gmail; `undefined` if it may not go. */
  readonly ready: (isFirst: boolean) => Promise<{ mostToGmail: number | undefined } | undefined>
  /** Takes the lock, in place of a run that is dead. @returns `undefined` while another run has it. */
  readonly hold: (isFirst: boolean) => Promise<{ release(): Promise<void> } | undefined>
  /** Sends, in place of a run that is dead. @returns `undefined` while another run has the lock. */
  readonly run: (
    options: Omit<AnnounceOptions, 'insteadOf' | 'on'>,
    isFirst: boolean,
  ) => Promise<WaveRunEnd | undefined>
  readonly on: WavesEvents
  readonly clock?: Clock
}

export interface WavesEvents {
  /** A wave was sent, whole or in part. */
  sent(end: WaveRunEnd, kept: KeptWaves, figures: WaveFigures): Promise<void>
  /** The next one is waited for, or the rest of this one, or another run. */
  waiting(until: Date, what: 'wave' | 'gmail' | 'run', kept: KeptWaves | undefined): void
  /** It is waited for so many milliseconds more. */
  left(ms: number): void
  /** The store is away while it is waited. */
  away(message: string): void
}

export type WavesEnd =
  /** `done` when everybody is told; else the run stopped, or does not balance. */
  | { readonly why: 'done' | 'ended'; readonly end: WaveRunEnd }
  | { readonly why: 'breach'; readonly breach: Breach; readonly kept: KeptWaves }
  | { readonly why: 'interrupted'; readonly kept: KeptWaves | undefined }
  | { readonly why: 'notDue'; readonly until: Date; readonly kept: KeptWaves | undefined }
  | { readonly why: 'notReady' }

/**
 * Sends wave after wave, each when its time has come, the one before is accounted for and not too many
 * failed or left. All that it goes by is in the store, so that it can be killed at any moment.
 *
 * @throws Imbalance, LockLost; OtherPlan where another plan is kept, or this one is no more;
 * StoreUnavailable, unless that comes while it waits
 */
export async function runWaves(options: WavesOptions): Promise<WavesEnd> {
  const { announcement, plan, everyMs, on, clock = realClock } = options
  const { store, id, signal, holder } = announcement
  let forgiven = options.goOn ? await seenBy(options) : undefined
  let isFirst = true
  /** From then on the plan is another's to change. */
  let isKept = false
  let heldUntil: Date | undefined

  async function breachIn(kept: KeptWaves | undefined): Promise<Breach | undefined> {
    return kept && !isOver(kept) ? breachOf(kept, await countsNow(options), options) : undefined
  }

  async function stopFor(breach: Breach, kept: KeptWaves): Promise<WavesEnd> {
    await noteEnd(store, id, { why: breach.why, answer: '' })
    return { why: 'breach', breach, kept }
  }

  /** Waits, or says what comes of it. By both clocks: that it is set back makes nothing early. */
  async function waitFor(until: Date, longest: number, kept: KeptWaves | undefined) {
    const begun = clock.elapsed()
    let lookedAt = begun
    const untilThen = () => until.getTime() - clock.now().getTime()
    // What is further off was written by a clock that was ahead.
    const most = Math.min(untilThen(), longest)
    const stillToWait = () => Math.min(untilThen(), most - (clock.elapsed() - begun))
    for (;;) {
      const left = stillToWait()
      if (left <= 0 || signal.aborted) return undefined
      on.left(left)
      await clock.pause(Math.min(left, LOOK_EVERY_MS), signal)
      if (stillToWait() > 0 && clock.elapsed() - lookedAt < options.lookEveryMs) continue
      lookedAt = clock.elapsed()
      const breach = await whileAway(() => breachIn(kept))
      if (breach) return breach
    }
  }

  async function whileAway<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      on.away(error.message)
      return undefined
    }
  }

  /** What is kept, and the same as the operator wants it from now on. */
  async function look() {
    const found = await store.findAnnouncement(id)
    const seen = found?.waves
    if (isKept && !seen) throw new OtherPlan(`"${id}" goes out in waves no more.`)
    if (isKept || !options.changePlan) refuseOtherPlan(id, seen, options)
    isKept ||= seen !== undefined && isPlanOf(seen, plan, everyMs)
    // Of a wave that has ended it is known.
    const { taken } = seen && !seen.endedAt ? await stageCounts(store, id) : { taken: 0 }
    const at = { taken, now: clock.now() }
    return { seen, kept: found && asAgreed(found, plan, everyMs, forgiven, at) }
  }

  /** Keeps what the operator wants, whenever the next wave comes. @returns as `look` does */
  async function keep() {
    const lock = await options.hold(isFirst)
    if (!lock) return undefined
    try {
      const { kept } = await look()
      if (kept) await store.keepWaves(holder.owner, id, kept)
      isKept = kept !== undefined
      forgiven = undefined
      return { seen: kept, kept }
    } finally {
      await lock.release()
    }
  }

  async function waitForRun(kept: KeptWaves | undefined): Promise<WavesEnd | undefined> {
    on.waiting(new Date(clock.now().getTime() + LOOK_EVERY_MS), 'run', kept)
    await clock.pause(LOOK_EVERY_MS, signal)
    return signal.aborted ? { why: 'interrupted', kept } : undefined
  }

  /** One wave, with the wait before it. @returns `undefined` where there is more to do. */
  async function turn(): Promise<WavesEnd | undefined> {
    const found = await look()
    const isNew = found.seen && !isOver(found.seen) && !isDeepStrictEqual(found.seen, found.kept)
    const agreed = isNew ? await keep() : found
    if (!agreed) return waitForRun(found.kept)
    const { seen, kept } = agreed
    const breach = await breachIn(kept)
    if (kept && breach) return stopFor(breach, kept)

    // After the last one, only those who came since are left, whom no share waits for.
    const isNext = kept && !(isOver(kept) && ('shares' in plan || !announcement.includeNew))
    const until = heldUntil ?? (isNext ? kept.nextAt : undefined)
    if (until && until > clock.now()) {
      if (!options.wait) return { why: 'notDue', until, kept }
      on.waiting(until, heldUntil ? 'gmail' : 'wave', kept)
      const meanwhile = await waitFor(until, heldUntil ? DAY_MS : everyMs, kept)
      if (kept && meanwhile) return stopFor(meanwhile, kept)
      if (signal.aborted) return { why: 'interrupted', kept }
      // What the pre-flight said before is not true for ever.
      isFirst = false
    }
    heldUntil = undefined

    const ready = await options.ready(isFirst)
    if (!ready) {
      await noteEnd(store, id, { why: 'unready', answer: '' })
      return { why: 'notReady' }
    }
    const stage = waveStage({
      ...{ store, owner: holder.owner, selection: announcement, plan, everyMs },
      ...{ seen, agreed: kept, mostToGmail: ready.mostToGmail },
      ...{ message: announcement.message, now: clock.now },
    })
    const watch = watchOver(stage, breachIn)
    const end = await options
      .run(
        {
          ...{ ...announcement, stage, message: stage.message },
          signal: AbortSignal.any([signal, watch.signal]),
        },
        isFirst,
      )
      .finally(() => {
        watch.end()
        isKept ||= stage.kept !== undefined
      })
    isFirst = false
    if (!end) return waitForRun(kept)
    const sent = stage.kept
    if (sent) await on.sent(end, sent, figuresOf(sent, await countsNow(options)))
    if (end.why === 'interrupted' && watch.signal.aborted && !signal.aborted) return undefined
    if (end.why !== 'done' || !end.balance.holds) return { why: 'ended', end }
    heldUntil = stage.heldUntil
    if (sent) return isOver(sent) ? { why: 'done', end } : undefined
    // Nothing was begun: everybody is told, or another run was quicker.
    return kept && isOver(kept) ? { why: 'done', end } : undefined
  }

  for (;;) {
    try {
      const end = await turn()
      if (end) return end
    } catch (error) {
      if (isFirst || !options.wait || !(error instanceof StoreUnavailable)) throw error
      on.away(error.message)
      await clock.pause(LOOK_EVERY_MS, signal)
    }
    if (signal.aborted) return { why: 'interrupted', kept: undefined }
  }
}

async function countsNow({ announcement: { store, id } }: WavesOptions) {
  return countsOf(await store.tally(id), await store.departed(id))
}

/** What the operator has seen who says that it is to go on. */
async function seenBy(options: WavesOptions): Promise<Forgiven | undefined> {
  const { store, id } = options.announcement
  const wave = (await store.findAnnouncement(id))?.waves
  return wave && { wave, counts: await countsNow(options) }
}

/** Stops a wave that is being sent when too many leave meanwhile. */
function watchOver(
  stage: WaveStage,
  breachIn: (kept: KeptWaves | undefined) => Promise<Breach | undefined>,
) {
  const stop = new AbortController()
  const timer = setInterval(() => {
    // A store that is away is waited for by what sends.
    breachIn(stage.kept).then(
      (breach) => breach && stop.abort(),
      () => {},
    )
  }, LOOK_EVERY_MS)
  return { signal: stop.signal, end: () => clearInterval(timer) }
}
