import type { Mailer } from '../mail/mailer.ts'
import type { Announcement, DeliveryStatus, LetterRecord } from '../store/delivery-ledger.ts'
import { LockLost } from '../store/run-lock.ts'
import type { RunNotes } from '../store/run-notes.ts'
import type { Store } from '../store/store.ts'
import { type Balance, balanceOf, endedOf, rowsOf } from './balance.ts'
import { enlistEveryone } from './enlist.ts'
import { bringBackTold, leftOutOf } from './left-out.ts'
import { endedBy, noteEnd, noteGoingOn, noteIfItCan } from './note-end.ts'
import { mayBeTaken, type RecipientSelection } from './recipient-selection.ts'
import { gateOf, type Ready } from './sending/gate.ts'
import type { Waits } from './sending/hand.ts'
import { GMAIL, listRate } from './sending/list-rate.ts'
import type { OwnRun } from './sending/lock-lease.ts'
import { type Rate, rateText } from './sending/rate.ts'
import { defaultRetryPolicy, type RetryPolicy } from './sending/retry-policy.ts'
import { type LetterFor, sendAll } from './sending/send.ts'
import type { SendEnd } from './sending/send-end.ts'
import { LATELY } from './sending/stops.ts'

export interface AnnounceOptions extends RecipientSelection {
  readonly store: Store
  readonly mailer: Mailer
  readonly message: LetterFor
  readonly letter: LetterRecord
  /** This run, which has the lock. */
  readonly run: OwnRun
  readonly rate: Rate
  readonly stopShare: number
  /** Ends it; with the reason `EndedFromOutside`, the operator is notified. */
  readonly signal: AbortSignal
  readonly on: AnnounceEvents
  readonly retryPolicy?: RetryPolicy | undefined
  /** The count of the pre-flight: some in the queue may have left since they came into it. */
  readonly toSend?: number | undefined
  /** How many of those not tried yet get a letter, by the same count. */
  readonly letters?: number | undefined
  /** Sends what is due, and ends. */
  readonly untilNow?: boolean | undefined
  /** What failed, and who left, counts anew from now on. */
  readonly goOn?: boolean | undefined
  /** What the pre-flight of this run came to. */
  readonly ready?: Ready | undefined
  /** The pre-flight, each hour before the next letter. @returns `undefined` where none may leave */
  readonly readyAgain?: (() => Promise<Ready | undefined>) | undefined
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

/**
 * Tells everyone who came on the list before the cut-off, once each, or goes on doing so. The cut-off
 * is the moment of the first run; those who come later are left for `includeNew`.
 *
 * @throws Refused, LockLost, StoreUnavailable
 */
export async function announce(options: AnnounceOptions): Promise<RunEnd> {
  const { store, id, letter, run, on } = options
  const { includeNew, retry, alsoWhoGot, rate, ready, signal, stopShare } = options
  const { owner } = run
  let hasBegun = false
  const asItIs = async (begun: Announcement) => (await store.ledger.findAnnouncement(id)) ?? begun
  try {
    let announcement = await store.ledger.begin(owner, id, letter, includeNew)
    hasBegun = true
    await noteGoingOn(store.notices, id)
    on.settled(await store.ledger.settle(owner, id))
    if (announcement.eligible === undefined)
      announcement = await enlistEveryone(store, owner, announcement, options, on.enlisting)
    if (retry) await store.ledger.requeue(owner, id, retry)
    else if (alsoWhoGot) await bringBackTold(store.ledger, owner, id, alsoWhoGot)

    const { tally, suppressed } = await asItIs(announcement)
    const leftOut = leftOutOf(suppressed)
    const all = rowsOf(tally) - leftOut
    const [taken, passedOver] = [all - tally.untried, tally.suppressed - leftOut]
    const untried = mayBeTaken(all, taken, passedOver, options, options.letters)
    const letters = Math.min(untried, options.letters ?? untried)
    const people = options.toSend ?? tally.queued - tally.untried + letters
    on.begun(announcement, people)
    await run.note(begunNotes({ ...options, people }, tally))
    const { limiter, leftAt, holdUntil, isHolding } = await listRate({
      ledger: store.ledger,
      rate,
      untilNow: options.untilNow ?? false,
      gmail: ready && !ready.isSenderKnown ? GMAIL : undefined,
    })
    const { mailer, message, retryPolicy = defaultRetryPolicy } = options
    const end = await sendAll({
      store: store.ledger,
      mailer,
      message: (recipient) => {
        const dueAt = holdUntil(recipient.email)
        return dueAt ? Promise.resolve({ dueAt, answer: HELD_FROM_GMAIL }) : message(recipient)
      },
      untilNow: options.untilNow,
      isHolding,
      gate: gateOf({
        look: () => store.ledger.lately(id, LATELY, run.notes.countedFrom),
        stopShare,
        ready,
        readyAgain: options.readyAgain,
        onOpen: () => run.note({ sawOpen: true }),
      }),
      leftAt,
      owner,
      id,
      untried,
      retryPolicy,
      stopShare,
      signal,
      tried: tally.queued - tally.untried,
      rateLimiter: limiter,
      onResult: on.result,
      onWait: on.waiting,
    })
    const ended = endedBy(end, signal)
    run.keep({ end: ended })
    const balance = balanceOf(await asItIs(announcement), await store.ledger.counted(id))
    const { sent, queued } = balance.tally
    const figures = { eligible: balance.eligible, sent, queued }
    await noteEnd(store.notices, id, ended, figures)
    return { ...end, announcement, balance }
  } catch (error) {
    if (hasBegun && (await isHeardOf(error, options))) await noteIfItCan(store.notices, id, 'fault')
    throw error
  }
}

const HELD_FROM_GMAIL = 'held back: no more letters to Gmail in these 24 hours'

/** How this run sends, and how far it was when it began to. */
function begunNotes(
  {
    rate,
    stopShare,
    goOn,
    ready,
    run,
    signal,
    people,
  }: AnnounceOptions & { readonly people: number },
  tally: Announcement['tally'],
): RunNotes {
  return {
    rate: rateText(rate),
    stopShare,
    next: signal.aborted ? 'stop' : 'send',
    sending: { since: new Date(), people, before: endedOf(tally) },
    ...(goOn && { countedFrom: new Date() }),
    ...((run.notes.sawOpen || ready?.isOpen) && { sawOpen: true }),
  }
}

/** Whether this error leaves an announcement that no other run goes on with. */
async function isHeardOf(error: unknown, { store }: AnnounceOptions): Promise<boolean> {
  if (!(error instanceof LockLost)) return true
  return store.lock.holder().then(
    (holder) => holder === undefined,
    () => false,
  )
}
