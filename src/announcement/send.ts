import { setTimeout as sleep } from 'node:timers/promises'
import type { Mailer, Message, SendOutcome } from '../mail/mailer.ts'
import type {
  ClaimedDelivery,
  DeliveryLedger,
  DeliveryResult,
  DeliveryStatus,
} from '../store/delivery-ledger.ts'
import { StoreUnavailable } from '../store/subscriber-store.ts'
import type { Recipient } from './message.ts'
import type { Pace } from './pace.ts'
import { doubling, type Patience } from './patience.ts'
import type { SendEnd } from './send-end.ts'
import { streaks } from './streaks.ts'

export interface SendOptions {
  readonly store: DeliveryLedger
  readonly mailer: Mailer
  readonly message: (recipient: Recipient) => Message
  readonly owner: string
  /** The announcement's. */
  readonly id: string
  /** How many rows that were never tried may be taken. */
  readonly untried: number
  readonly pace: Pace
  readonly patience: Patience
  /** Of what this run finished, the share that may fail before it stops by itself. */
  readonly stopShare: number
  /** When it aborts, what is under way is finished and nothing else begun. */
  readonly signal: AbortSignal
  readonly onResult: (status: DeliveryStatus) => void
  /** Told in a sentence what is being waited for. */
  readonly onWait: (what: string) => void
}

/**
 * Sends what is queued, each row once, until nothing is left or there is a reason to stop.
 *
 * @throws LockLost, StoreUnavailable
 */
export async function sendAll(options: SendOptions): Promise<SendEnd> {
  const { store, mailer, message, owner, id, pace, patience, signal, onResult, onWait } = options
  const streak = streaks(patience, options.stopShare)
  const underWay = new Set<Promise<void>>()
  let untried = options.untried
  let broken: unknown

  /** Waits for the ledger as long as is reasonable: what was sent must be noted. */
  async function patiently<T>(work: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + patience.store
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || performance.now() > giveUpAt) throw error
        onWait(error.message)
        await sleep(patience.poll)
      }
    }
  }

  async function claim(limit: number): Promise<ClaimedDelivery[]> {
    const tried = await store.claim(owner, id, { limit, which: 'tried' })
    if (tried.length > 0 || untried === 0) return tried
    const wanted = { limit: Math.min(limit, untried), which: 'untried' } as const
    const claimed = await store.claim(owner, id, wanted)
    untried -= claimed.length
    return claimed
  }

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const outcome = await mailer.send(message(delivery))
    const result = resultOf(delivery, outcome, patience)
    streak.note(outcome, result.status)
    await patiently(() => store.record(owner, id, [result]))
    onResult(result.status)
  }

  function start(delivery: ClaimedDelivery): void {
    const delivering = deliver(delivery)
      .catch((error) => {
        broken ??= error
      })
      .finally(() => underWay.delete(delivering))
    underWay.add(delivering)
  }

  /** Claims and starts as many as may go now. @returns whether there were any. */
  async function startSome(places: number): Promise<boolean> {
    const limit = Math.min(places - underWay.size, pace.ready())
    const claimed = await patiently(() => claim(limit))
    pace.spend(claimed.length)
    for (const delivery of claimed) start(delivery)
    return claimed.length > 0
  }

  async function isNothingLeft(): Promise<boolean> {
    const { queued, untried } = await patiently(() => store.tally(id))
    if (queued === untried) return true
    onWait(`${queued - untried} to be tried again`)
    return false
  }

  async function untilItEnds(): Promise<SendEnd> {
    for (;;) {
      if (broken) throw broken
      if (streak.end) return streak.end
      if (signal.aborted) return { why: 'interrupted', answer: '' }
      const places = streak.isTroubled ? 1 : mailer.connections
      if (underWay.size >= places) await Promise.race(underWay)
      else if (streak.rest() > 0) await pause(streak.rest(), signal)
      else if (pace.ready() === 0) await pause(pace.wait(), signal)
      else if (await startSome(places)) continue
      else if (underWay.size > 0) await Promise.race(underWay)
      else if (await isNothingLeft()) return { why: 'done', answer: '' }
      else await pause(patience.poll, signal)
    }
  }

  let end: SendEnd
  try {
    end = await untilItEnds()
  } finally {
    await Promise.all(underWay)
  }
  if (broken) throw broken
  return end
}

function resultOf(
  { addressId, tries }: ClaimedDelivery,
  { kind, answer }: SendOutcome,
  { backOff, mostBackOff, tries: mostTries }: Patience,
): DeliveryResult {
  const result = { addressId, tries, answer }
  if (kind === 'accepted') return { ...result, status: 'sent' }
  if (kind === 'uncertain') return { ...result, status: 'uncertain' }
  if (kind === 'refused' || (kind === 'deferred' && tries >= mostTries))
    return { ...result, status: 'failed' }
  const waitMs = kind === 'unusable' ? 0 : doubling(backOff, mostBackOff, tries)
  return { ...result, status: 'queued', dueAt: new Date(Date.now() + waitMs) }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
