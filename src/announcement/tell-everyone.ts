import type { Mailer } from '../mail/mailer.ts'
import type { Announcement, DeliveryStatus, LetterRecord } from '../store/delivery-ledger.ts'
import { LockLost } from '../store/run.ts'
import type { RunNotes } from '../store/run-notes.ts'
import type { Store } from '../store/store.ts'
import { type Balance, balanceOf, endedOf, rowsOf } from './balance.ts'
import { enlistEveryone } from './enlist.ts'
import { bringBackTold, leftOutOf } from './left-out.ts'
import { endedBy, noteEnd, noteGoingOn, noteIfItCan } from './note-end.ts'
import type { OwnRun } from './run/as-run.ts'
import { mayBeTaken, type RecipientSelection } from './run-options.ts'
import { gateOf, LATELY, type Ready } from './sending/gate.ts'
import { listRate } from './sending/list-rate.ts'
import { type Rate, rateText } from './sending/rate.ts'
import { defaultRetryPolicy, type SendingPolicy } from './sending/retry-policy.ts'
import type { Waits } from './sending/rows-in-hand.ts'
import { type LetterFor, sendAll } from './sending/send.ts'
import type { SendEnd } from './sending/send-end.ts'

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
  readonly retryPolicy?: SendingPolicy | undefined
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
  const { store, id, letter, run, includeNew } = options
  let hasBegun = false
  try {
    const begun = await store.ledger.begin(run.owner, id, letter, includeNew)
    hasBegun = true
    await noteGoingOn(store.notices, id)
    const announcement = await enlisted(options, begun)
    const end = await send(options, announcement)
    const ended = endedBy(end, options.signal)
    run.keep({ end: ended })
    const after = (await store.ledger.findAnnouncement(id)) ?? announcement
    const balance = balanceOf(after, await store.ledger.counted(id))
    const { sent, queued } = balance.tally
    await noteEnd(store.notices, id, ended, { eligible: balance.eligible, sent, queued })
    return { ...end, announcement: after, balance }
  } catch (error) {
    if (hasBegun && (await isHeardOf(error, options))) await noteIfItCan(store.notices, id, 'fault')
    throw error
  }
}

/** Gives everybody their row, and queues those who are told again. */
async function enlisted(options: AnnounceOptions, begun: Announcement): Promise<Announcement> {
  const { store, id, run, on, retry, alsoWhoGot } = options
  const { ledger } = store
  on.settled(await ledger.settle(run.owner, id))
  if (begun.eligible === undefined)
    await enlistEveryone(store, run.owner, begun, options, on.enlisting)
  if (retry) await ledger.requeue(run.owner, id, retry)
  else if (alsoWhoGot) await bringBackTold(ledger, run.owner, id, alsoWhoGot)
  return (await ledger.findAnnouncement(id)) ?? begun
}

async function send(options: AnnounceOptions, announcement: Announcement): Promise<SendEnd> {
  const { store, id, mailer, message, run, on, rate, ready, stopShare, signal } = options
  const { untilNow = false, retryPolicy = defaultRetryPolicy } = options
  const { tally, suppressed } = announcement
  const leftOut = leftOutOf(suppressed)
  const all = rowsOf(tally) - leftOut
  const passedOver = tally.suppressed - leftOut
  const untried = mayBeTaken(all, all - tally.untried, passedOver, options, options.letters)
  const tried = tally.queued - tally.untried
  const people = options.toSend ?? tried + Math.min(untried, options.letters ?? untried)
  on.begun(announcement, people)
  await run.note(begunNotes({ ...options, people }, tally))
  const limits = await listRate({ ledger: store.ledger, rate, untilNow })
  return sendAll({
    ...{ store: store.ledger, mailer, owner: run.owner, id, untried, tried },
    ...{ retryPolicy, stopShare, signal, untilNow, rateLimiter: limits.limiter },
    ...{ onResult: on.result, onWait: on.waiting },
    ...{ message, leftAt: limits.leftAt },
    gate: gateOf({
      look: () => store.ledger.lately(id, LATELY, run.notes.countedFrom),
      ...{ stopShare, ready, readyAgain: options.readyAgain },
      onOpen: () => run.note({ sawOpen: true }),
    }),
  })
}

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
