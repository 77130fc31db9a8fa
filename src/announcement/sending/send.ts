import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import type { Recipient } from '../../mail/letter/message.ts'
import type { Mailer, Message, SendOutcome } from '../../mail/mailer.ts'
import type {
  ClaimedDelivery,
  DeliveryLedger,
  DeliveryResult,
  DeliveryStatus,
} from '../../store/delivery-ledger.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { circuitBreaker } from './circuit-breaker.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { exponentialBackOff, type RetryPolicy } from './retry-policy.ts'
import type { SendEnd } from './send-end.ts'

export interface SendOptions {
  readonly store: DeliveryLedger
  readonly mailer: Mailer
  readonly message: (recipient: Recipient) => Message
  readonly owner: string
  /** The announcement's. */
  readonly id: string
  /** How many rows that were never tried may be taken. */
  readonly untried: number
  /** How many rows that were tried before are in the queue. */
  readonly tried: number
  readonly rateLimiter: RateLimiter
  readonly retryPolicy: RetryPolicy
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
  const { store, mailer, message, owner, id, rateLimiter, retryPolicy, signal, onResult, onWait } =
    options
  const breaker = circuitBreaker(retryPolicy, options.stopShare)
  const sending = new Set<Promise<void>>()
  /** What has ended and is not in the ledger yet. */
  let ended: DeliveryResult[] = []
  let { untried, tried } = options
  let broken: unknown

  /** Waits for the ledger as long as is reasonable: what was sent must be noted. */
  async function retried<T>(work: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + retryPolicy.store
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || performance.now() > giveUpAt) throw error
        onWait(error.message)
        await sleep(retryPolicy.poll)
      }
    }
  }

  /** Has what ended noted by what is done in the ledger anyway. */
  async function noting<T>(work: (results: readonly DeliveryResult[]) => Promise<T>): Promise<T> {
    const results = ended
    ended = []
    try {
      const done = await retried(() => work(results))
      for (const { status } of results) {
        if (status === 'queued') tried += 1
        onResult(status)
      }
      return done
    } catch (error) {
      // Noting it twice changes nothing.
      ended = [...results, ...ended]
      throw error
    }
  }

  const note = () => noting((results) => store.record(owner, id, results))

  async function claim(limit: number): Promise<ClaimedDelivery[]> {
    const take = (which: 'tried' | 'untried', most: number) =>
      noting((results) => store.claim(owner, id, { limit: most, which }, results))
    if (tried > 0) {
      const again = await take('tried', limit)
      tried -= again.length
      if (again.length > 0) return again
    }
    if (untried === 0) return []
    const claimed = await take('untried', Math.min(limit, untried))
    untried -= claimed.length
    return claimed
  }

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const outcome = await mailer.send(message(delivery))
    const result = resultOf(delivery, outcome, retryPolicy)
    breaker.note(outcome, result.status)
    ended.push(result)
  }

  function start(delivery: ClaimedDelivery): void {
    const delivering = deliver(delivery)
      .catch((error) => {
        broken ??= error
      })
      .finally(() => sending.delete(delivering))
    sending.add(delivering)
  }

  /** Claims and starts as many as may go now. @returns whether there were any. */
  async function startSome(limit: number): Promise<boolean> {
    const claimed = await claim(limit)
    rateLimiter.spend(claimed.length)
    for (const delivery of claimed) start(delivery)
    return claimed.length > 0
  }

  /** Until a message has ended, or for so long. */
  async function wait(ms?: number): Promise<void> {
    if (ms === undefined) return Promise.race(sending)
    const enough = new AbortController()
    await Promise.race([...sending, pause(ms, AbortSignal.any([signal, enough.signal]))])
    enough.abort()
  }

  /** As long as each turn of the event loop brings an end, one commit will do for all of them. */
  async function quiet(): Promise<void> {
    for (let before = -1; ended.length > before; await immediate()) before = ended.length
  }

  async function isNothingLeft(): Promise<boolean> {
    const { queued, untried } = await retried(() => store.tally(id))
    if (queued === untried) return true
    onWait(`${queued - untried} to be tried again`)
    return false
  }

  async function untilItEnds(): Promise<SendEnd> {
    for (;;) {
      if (broken) throw broken
      if (breaker.end) return breaker.end
      if (signal.aborted) return { why: 'interrupted', answer: '' }
      if (sending.size > 0) await quiet()
      const slots = (breaker.isTripped ? 1 : mailer.connections) - sending.size
      const rest = Math.max(breaker.rest(), rateLimiter.wait())
      const mayStart = slots > 0 && rest === 0
      if (mayStart && (await startSome(Math.min(slots, rateLimiter.ready())))) continue
      if (ended.length > 0) {
        await note()
        // Meanwhile more may have ended, which must not wait for what is still on its way.
        continue
      }
      if (slots > 0 && rest > 0) await wait(rest)
      else if (sending.size > 0) await wait()
      else if (await isNothingLeft()) return { why: 'done', answer: '' }
      else await wait(retryPolicy.poll)
    }
  }

  let end: SendEnd
  try {
    end = await untilItEnds()
  } finally {
    await Promise.all(sending)
    if (ended.length > 0) await note()
  }
  if (broken) throw broken
  return end
}

function resultOf(
  { addressId, tries }: ClaimedDelivery,
  { kind, answer }: SendOutcome,
  { backOff, maxBackOff, tries: maxTries }: RetryPolicy,
): DeliveryResult {
  const result = { addressId, tries, answer }
  if (kind === 'accepted') return { ...result, status: 'sent' }
  if (kind === 'uncertain') return { ...result, status: 'uncertain' }
  if (kind === 'refused' || (kind === 'deferred' && tries >= maxTries))
    return { ...result, status: 'failed' }
  const waitMs = kind === 'unusable' ? 0 : exponentialBackOff(backOff, maxBackOff, tries)
  return { ...result, status: 'queued', dueAt: new Date(Date.now() + waitMs) }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
