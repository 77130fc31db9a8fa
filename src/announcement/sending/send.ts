import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import type { Recipient } from '../../mail/letter/message.ts'
import type { Mailer, Message, SendOutcome } from '../../mail/mailer.ts'
import { isMailable } from '../../shared/mailable.ts'
import type { ClaimedDelivery, SuppressionReason } from '../../store/delivery-ledger.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { circuitBreaker } from './circuit-breaker.ts'
import { type HandOptions, hand } from './hand.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { resultOf } from './retry-policy.ts'
import type { SendEnd } from './send-end.ts'

/**
 * A letter, and for one whose sending was noted first what notes its end; or why this recipient gets none,
 * or until when they wait.
 */
export type Prepared =
  | { readonly message: Message; settle?(outcome: SendOutcome): Promise<void> }
  | { readonly leftOut: SuppressionReason }
  | { readonly dueAt: Date; readonly answer: string }

/**
 * Makes the letter of a recipient. @throws StoreUnavailable where something has to be noted first
 */
export type LetterFor = (recipient: Recipient) => Message | Promise<Prepared>

/** A timer of Node's takes no more than 24 days; the clocks are read again long before. */
const LONGEST_WAIT_MS = 3_600_000

export interface SendOptions extends Omit<HandOptions, 'onAnswer'> {
  readonly mailer: Mailer
  readonly message: LetterFor
  readonly rateLimiter: RateLimiter
  /** Ends once what may leave now has left, and what was put off is not due. */
  readonly untilNow?: boolean | undefined
  /** Whether letters are held back: a run waits for them, however long it takes. */
  readonly isHolding?: (() => boolean) | undefined
  /** Looks again, before a letter leaves, whether sending is still right. */
  readonly gate?: Gate | undefined
  /** When a letter that ended now left, where the machine's clock does not say it. */
  readonly leftAt?: (() => Date | undefined) | undefined
  /** The share of this run's finished letters that may fail before it stops by itself. */
  readonly stopShare: number
  /** When it aborts, letters under way are finished, and no other is begun. */
  readonly signal: AbortSignal
}

export interface Gate {
  isDue(): boolean
  /** @returns why to end, if there is a reason. @throws StoreUnavailable */
  pass(): Promise<SendEnd | undefined>
}

/**
 * Sends the queued rows, each once, until none is left or there is a reason to stop.
 *
 * @throws LockLost, StoreUnavailable, and what `message` throws: its recipient then had no try
 */
export async function sendAll(options: SendOptions): Promise<SendEnd> {
  const { mailer, message, rateLimiter, retryPolicy, signal, untilNow, gate } = options
  const breaker = circuitBreaker(retryPolicy, options.stopShare)
  const sending = new Set<Promise<void>>()
  let broken: unknown
  let putOff = ''
  let happened = Promise.withResolvers<void>()
  const wake = () => happened.resolve()
  const rows = hand({ ...options, onAnswer: wake })

  async function prepare(delivery: ClaimedDelivery): Promise<Prepared> {
    // Queued before a version that leaves more addresses out.
    if (!isMailable(delivery.email)) return { leftOut: 'unmailable' }
    try {
      const made = await message(delivery)
      return 'to' in made ? { message: made } : made
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) {
        const { number, tries } = delivery
        rows.end({ number, tries, status: 'returned' })
        throw error
      }
      return { dueAt: new Date(Date.now() + retryPolicy.backOff), answer: error.message }
    }
  }

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const { number, tries } = delivery
    const made = await prepare(delivery)
    if (!('message' in made)) rateLimiter.refund()
    if ('leftOut' in made)
      return rows.end({ number, tries, status: 'suppressed', standing: made.leftOut })
    if ('dueAt' in made) return rows.end({ number, tries, status: 'queued', ...made })
    const outcome = await mailer.send(made.message)
    await made.settle?.(outcome)
    const result = resultOf(delivery, outcome, retryPolicy)
    breaker.note(outcome, result.status)
    if (result.status === 'queued') putOff = result.answer
    rows.end({ ...result, language: made.message.language, at: options.leftAt?.() })
  }

  function start(delivery: ClaimedDelivery): void {
    const delivering = deliver(delivery)
      .catch((error) => {
        broken ??= error
      })
      .finally(() => {
        sending.delete(delivering)
        wake()
      })
    sending.add(delivering)
  }

  /** Waits until a message has ended or the ledger has answered, or for this time. */
  async function wait(ms?: number): Promise<void> {
    if (ms === undefined) return happened.promise
    const enough = new AbortController()
    const time = sleep(ms, undefined, enough).catch(() => {})
    await Promise.race([happened.promise, time])
    enough.abort()
  }

  /**
   * Waits while each turn of the event loop brings a result, so that one commit takes all of them.
   */
  async function quiet(): Promise<void> {
    for (let before = 0; rows.ended > before; await immediate()) before = rows.ended
  }

  async function untilItEnds(): Promise<SendEnd> {
    for (;;) {
      happened = Promise.withResolvers()
      if (rows.ended > 0) await quiet()
      if (broken) throw broken
      if (breaker.end) return breaker.end
      if (signal.aborted) return { why: 'interrupted', answer: '' }
      const most = breaker.isTripped ? 1 : mailer.connections
      const slots = most - sending.size
      const rest = Math.max(breaker.rest(), rateLimiter.wait())
      if (breaker.rest() > 0) options.onWait({ code: 'mail', answer: breaker.answer })
      const may = rest > 0 ? 0 : Math.max(0, Math.min(slots, rateLimiter.ready()))
      if (may > 0 && rows.size > 0 && gate?.isDue()) {
        const end = await gate.pass()
        if (end) return end
        continue
      }
      if (rest === Number.POSITIVE_INFINITY && sending.size === 0 && !rows.isBusy)
        return { why: 'done', answer: '' }
      const begun = rows.take(may)
      rateLimiter.spend(begun.length)
      for (const delivery of begun) start(delivery)

      rows.turn(may - begun.length)
      if (slots > 0 && rest > 0 && Number.isFinite(rest))
        await wait(Math.min(rest, LONGEST_WAIT_MS))
      // The ledger answers by itself; a row may be due again before a message ends.
      else if (rows.isBusy) await wait()
      else if (sending.size > 0) await wait(slots > 0 ? retryPolicy.poll : undefined)
      else {
        const due = await rows.nextRetry()
        if (!due) return { why: 'done', answer: '' }
        const left = Math.max(0, due.getTime() - Date.now())
        if (untilNow && left > 0) return { why: 'done', answer: '' }
        if (retryPolicy.patience && left > retryPolicy.patience && !options.isHolding?.())
          return { why: 'deferring', answer: putOff }
        await wait(Math.min(left, retryPolicy.maxPause))
      }
    }
  }

  let end: SendEnd
  signal.addEventListener('abort', wake)
  try {
    end = await untilItEnds()
  } finally {
    signal.removeEventListener('abort', wake)
    await Promise.all(sending)
    await rows.empty()
  }
  if (broken) throw broken
  return end
}
