import type { Mailer } from '../mail/mailer.ts'
import type {
  Announcement,
  DeliveryLedger,
  DeliveryStatus,
  LetterRecord,
  Tally,
} from '../store/delivery-ledger.ts'
import { type LockHolder, LockLost } from '../store/run-lock.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import { type Balance, balanceOf, rowsOf } from './balance.ts'
import { enlistEveryone } from './enlist.ts'
import { bringBackTold, leftOutOf } from './left-out.ts'
import { endedBy, noteEnd, noteGoingOn, noteIfItCan } from './note-end.ts'
import { mayBeTaken, type RecipientSelection } from './recipient-selection.ts'
import type { Waits } from './sending/hand.ts'
import { holdLock } from './sending/lock-lease.ts'
import { rateLimiter } from './sending/rate-limiter.ts'
import { defaultRetryPolicy, type RetryPolicy } from './sending/retry-policy.ts'
import { type LetterFor, sendAll } from './sending/send.ts'
import type { SendEnd } from './sending/send-end.ts'
import { OtherPlan, refuseOtherPlan } from './waves/agreed.ts'

export interface AnnounceOptions extends RecipientSelection {
  readonly store: Store
  readonly mailer: Mailer
  readonly message: LetterFor
  readonly letter: LetterRecord
  /** This process. */
  readonly holder: LockHolder
  /** The owner of a run that is known to be dead, whose lock is taken over. */
  readonly insteadOf?: string | undefined
  /** Messages a second. */
  readonly rate: number
  readonly stopShare: number
  /** Ends it; with the reason `EndedFromOutside`, the operator is notified. */
  readonly signal: AbortSignal
  readonly on: AnnounceEvents
  readonly retryPolicy?: RetryPolicy | undefined
  /** The count of the pre-flight: some in the queue may have left since they came into it. */
  readonly toSend?: number | undefined
  /** How many of those not tried yet get a letter, by the same count. */
  readonly letters?: number | undefined
  /** A part of it with its own account, instead of `first`. */
  readonly stage?: Stage | undefined
}

/** What happens at the begin and the end of a part of an announcement, under the run's lock. */
export interface Stage {
  /** @returns how many may be tried for the first time. */
  begin(announcement: Announcement, counts: StageCounts): Promise<number>
  /** Called when everything that it may send is sent, and the balance holds. */
  end(counts: StageCounts): Promise<void>
}

export interface StageCounts {
  readonly tally: Tally
  /** How many recipients there are, without those left out. */
  readonly all: number
  /** How many of these were tried. */
  readonly taken: number
  /** How many of those left before their turn. */
  readonly passedOver: number
}

export interface AnnounceEvents {
  /** How many rows of an interrupted run became uncertain. */
  settled(uncertain: number): void
  enlisting(rows: number): void
  /** Sending begins; `toSend` rows may be taken. */
  begun(announcement: Announcement, toSend: number): void
  result(status: DeliveryStatus): void
  waiting(what: Waits): void
}

export interface RunEnd extends SendEnd {
  readonly announcement: Announcement
  readonly balance: Balance
}

export type AnnounceEnd = { readonly why: 'locked'; readonly by: LockHolder } | RunEnd

/**
 * Tells everyone who signed up before the cut-off, once each, or goes on doing so.
 * The cut-off is the moment of the first run; later sign-ups are left for `includeNew`.
 *
 * @throws OtherPlan where it goes out in waves and this is none; Refused, LockLost, StoreUnavailable
 */
export async function announce(options: AnnounceOptions): Promise<AnnounceEnd> {
  const { store, id, letter, holder, insteadOf, on } = options
  const { includeNew, retry, alsoWhoGot, stage } = options
  const { owner } = holder
  const lock = await holdLock(store.lock, holder, insteadOf)
  if ('by' in lock) return { why: 'locked', by: lock.by }
  let hasBegun = false
  try {
    let announcement = await store.ledger.begin(owner, id, letter)
    hasBegun = true
    await noteGoingOn(store.notices, id)
    // A plan may have been stored since the pre-flight.
    if (!stage && !retry) refuseOtherPlan(id, announcement.waves, undefined)
    on.settled(await store.ledger.settle(owner, id))
    if (includeNew && announcement.eligible !== undefined)
      announcement = await store.ledger.moveCutOff(owner, id)
    if (announcement.eligible === undefined)
      announcement = await enlistEveryone(store, owner, announcement, options, on.enlisting)
    if (retry) await store.ledger.requeue(owner, id, retry)
    else if (alsoWhoGot) await bringBackTold(store.ledger, owner, id, alsoWhoGot)

    const counts = await stageCounts(store.ledger, id)
    const { tally, all, taken, passedOver } = counts
    const untried = stage
      ? await stage.begin(announcement, counts)
      : mayBeTaken(all, taken, passedOver, options, options.letters)
    const letters = Math.min(untried, options.letters ?? untried)
    on.begun(announcement, options.toSend ?? tally.queued - tally.untried + letters)
    const { mailer, message, rate, stopShare, signal, retryPolicy = defaultRetryPolicy } = options
    const end = await sendAll({
      store: store.ledger,
      mailer,
      message,
      owner,
      id,
      untried,
      retryPolicy,
      stopShare,
      signal,
      tried: tally.queued - tally.untried,
      rateLimiter: rateLimiter(rate),
      onResult: on.result,
      onWait: on.waiting,
    })
    const after = await stageCounts(store.ledger, id)
    const balance = balanceOf(announcement, after.tally)
    if (end.why === 'done' && balance.holds) await stage?.end(after)
    const { sent, queued } = balance.tally
    const figures = { eligible: balance.eligible, sent, queued }
    await noteEnd(store.notices, id, endedBy(end, options.signal), figures)
    return { ...end, announcement, balance }
  } catch (error) {
    if (hasBegun && (await isHeardOf(error, options))) await noteIfItCan(store.notices, id, 'fault')
    throw error
  } finally {
    await lock.release()
  }
}

/** Whether this error leaves an announcement that no other run goes on with. */
async function isHeardOf(error: unknown, { store, stage }: AnnounceOptions): Promise<boolean> {
  if (error instanceof OtherPlan) return false
  // Its wave is tried again.
  if (error instanceof StoreUnavailable && stage) return false
  if (!(error instanceof LockLost)) return true
  return store.lock.holder().then(
    (holder) => holder === undefined,
    () => false,
  )
}

/** @throws StoreUnavailable */
export async function stageCounts(
  ledger: Pick<DeliveryLedger, 'tally' | 'suppressedAs'>,
  id: string,
): Promise<StageCounts> {
  const tally = await ledger.tally(id)
  const leftOut = leftOutOf(await ledger.suppressedAs(id))
  const all = rowsOf(tally) - leftOut
  return { tally, all, taken: all - tally.untried, passedOver: tally.suppressed - leftOut }
}
