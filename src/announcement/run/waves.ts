import type { Found } from '../../shared/found.ts'
import type { DeliveryLedger } from '../../store/delivery-ledger.ts'
import type { StoreKind } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { noteEnd } from '../note-end.ts'
import type { RunCount } from '../outlook.ts'
import { mayBeTaken, type RecipientSelection } from '../recipient-selection.ts'
import type { AnnounceEvents, AnnounceOptions } from '../tell-everyone.ts'
import { asAgreed, dueAt, refuseOtherPlan } from '../waves/agreed.ts'
import { MOST_TO_GMAIL } from '../waves/gmail.ts'
import { type PlannedWave, planAhead } from '../waves/plan-ahead.ts'
import { runWaves } from '../waves/run-waves.ts'
import { triedOf, type WavePlan } from '../waves/wave-plan.ts'
import type { WavesEnd, WavesEvents } from '../waves/waves-options.ts'
import { AnotherRuns, runToEnd, takeLock } from './run-to-end.ts'

/** How an announcement goes out in waves. */
export interface WavesWanted {
  readonly waves?: WavePlan
  /** From the beginning of one to that of the next, in milliseconds. */
  readonly every?: number
  /** The share of those told in a wave that may leave. */
  readonly stopLeaving?: number
  readonly goOn?: boolean
  readonly changePlan?: boolean
  /** Runs until the last wave is sent. */
  readonly wait?: boolean
}

export interface Waves {
  readonly plan: WavePlan
  readonly everyMs: number
}

/** The waves that are asked for. @throws Refused where the plan that is kept is another */
export async function readWavesOf(
  ledger: DeliveryLedger,
  id: string,
  { waves: plan, every, changePlan, retry }: WavesWanted & Pick<RecipientSelection, 'retry'>,
): Promise<Waves | undefined> {
  const kept = (await ledger.findAnnouncement(id))?.waves
  const wanted = plan && every !== undefined ? { plan, everyMs: every } : undefined
  if (!changePlan && (wanted || !retry)) refuseOtherPlan(id, kept, wanted)
  return wanted
}

/** Whether the next wave comes later, and this command will not wait for it. @throws StoreUnavailable */
export async function isEarly(
  ledger: DeliveryLedger,
  { id, includeNew }: RecipientSelection,
  { plan }: Waves,
  { wait = true, goOn, changePlan }: WavesWanted,
): Promise<boolean> {
  if (wait || goOn || changePlan) return false
  const until = dueAt((await ledger.findAnnouncement(id))?.waves, plan, includeNew)
  return until !== undefined && until > new Date()
}

/** The planned waves, from now on. @throws StoreUnavailable */
export async function planOf(
  ledger: DeliveryLedger,
  id: string,
  { plan, everyMs }: Waves,
  count: RunCount,
  rate: number,
  now: Date,
): Promise<PlannedWave[]> {
  const announcement = await ledger.findAnnouncement(id)
  const kept =
    announcement && asAgreed(announcement, plan, everyMs, undefined, { tried: triedOf(count), now })
  return [...planAhead({ ...count, plan, everyMs, kept, rate, now })]
}

/** The most that may go to Gmail in 24 hours: no limit for a domain with all records. */
export function mostToGmail(findings: readonly Found[]): number | undefined {
  const isFine = (name: string) =>
    findings.some(
      (one) => one.code === 'sender-record' && one.about === name && one.verdict === 'fine',
    )
  return ['SPF', 'DKIM', 'DMARC'].every(isFine) ? undefined : MOST_TO_GMAIL
}

/** Firestore charges for each look. */
const LOOK_MS = { sqlite: 30_000, firestore: 600_000 } as const

/** What a pre-flight that lets the letter go came to. */
export interface Checked {
  readonly found: readonly Found[]
  readonly count: Pick<RunCount, 'letters'>
}

export interface WavesRun extends Waves, Omit<WavesWanted, 'waves' | 'every'> {
  readonly announcement: Omit<AnnounceOptions, 'store' | 'insteadOf' | 'on' | 'first' | 'stage'>
  readonly storeKind: StoreKind
  /** The pre-flight. @returns its findings and its count, if it lets the letter go. */
  readonly check: (isFirst: boolean) => Promise<Checked | undefined>
  /** Tells of each run, and of the waves. */
  readonly onRun: AnnounceEvents
  readonly onWaves: WavesEvents
}

/** Sends wave after wave. @throws Refused where another plan is kept, or another run goes on */
export function announceInWaves(store: Store, run: WavesRun): Promise<WavesEnd> {
  const { plan, everyMs, announcement, onRun: on, storeKind } = run
  const { stopLeaving = 0.003, wait = true, goOn = false, changePlan = false } = run
  return runWaves({
    plan,
    everyMs,
    wait,
    goOn,
    changePlan,
    stopLeaving,
    stopShare: announcement.stopShare,
    lookEveryMs: LOOK_MS[storeKind],
    announcement: { ...announcement, store },
    async ready(isFirst) {
      const checked = await run.check(isFirst)
      if (!checked) return undefined
      const { found, count } = checked
      const isOpen = found.some(({ code }) => code === 'page-open')
      return { mostToGmail: mostToGmail(found), isOpen, letters: count.letters }
    },
    hold: (isFirst) => takeLock(store.lock, announcement.holder).catch(unlessAnother(isFirst)),
    run: (options, isFirst) => runToEnd({ ...options, on }).catch(unlessAnother(isFirst)),
    on: run.onWaves,
  })
}

/** A command that has begun waits for another run; one that begins is refused. */
const unlessAnother = (isFirst: boolean) => (error: unknown) => {
  if (isFirst || !(error instanceof AnotherRuns)) throw error
  return undefined
}

/** Drops the kept plan: those who are not told yet are told now. */
export function withoutWaves(
  ledger: DeliveryLedger,
  owner: string,
  selection: RecipientSelection,
): AnnounceOptions['stage'] {
  return {
    async begin({ id }, { all, taken, passedOver }) {
      await ledger.keepWaves(owner, id, undefined)
      return mayBeTaken(all, taken, passedOver, selection)
    },
    end: async () => {},
  }
}

/**
 * Notes that a wave is due and that the pre-flight does not allow it: an operator who starts the
 * command by a timer or as a service does not see that. An operator who begins an announcement with
 * a command that waits does.
 *
 * @param wait whether the command runs until the last wave is sent. @throws StoreUnavailable
 */
export async function noteUnready(
  store: Store,
  { id, includeNew }: RecipientSelection,
  { plan }: Waves,
  { toSend }: Pick<RunCount, 'toSend'>,
  wait: boolean,
): Promise<void> {
  const kept = (await store.ledger.findAnnouncement(id))?.waves
  if (wait && !kept) return
  // A timer may go on after the last wave, and between two waves there is time to put it right.
  if (toSend === 0) return
  const until = dueAt(kept, plan, includeNew)
  if (until && until > new Date()) return
  // A run that is sending has not stopped.
  if (await store.lock.holder()) return
  await noteEnd(store.notices, id, { why: 'unready', answer: '' })
}
