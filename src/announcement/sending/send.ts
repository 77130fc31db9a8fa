import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises'
import type { Recipient } from '../../mail/letter/message.ts'
import type { Mailer, Message } from '../../mail/mailer.ts'
import type { ClaimedDelivery } from '../../store/delivery-ledger.ts'
import { StoreUnavailable } from '../../store/subscriber-store.ts'
import { circuitBreaker } from './circuit-breaker.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { resultOf } from './retry-policy.ts'
import { Hand, type HandOptions } from './rows-in-hand.ts'
import type { SendEnd } from './send-end.ts'

/** A letter, or until when this recipient waits. */
export type Prepared =
  | { readonly message: Message }
  | { readonly dueAt: Date; readonly answer: string }

/**
 * Makes the letter of a recipient. @throws StoreUnavailable where something has to be noted first
 */
export type LetterFor = (recipient: Recipient) => Message | Promise<Prepared>

/** A timer of Node's takes no more than 24 days; the clocks are read again long before. */
const LONGEST_WAIT_MS = 3_600_000

export interface SendOptions extends HandOptions {
  readonly mailer: Mailer
  readonly message: LetterFor
  readonly rateLimiter: RateLimiter
  /** Ends once what may leave now has left, and what was put off is not due. */
  readonly untilNow?: boolean | undefined
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
  const { signal } = options
  const alarm = waking()
  const rows = new Hand(options)
  const letters = underWay(options, rows, alarm.wake)
  let end: SendEnd | undefined
  signal.addEventListener('abort', alarm.wake)
  try {
    while (!end) {
      alarm.begin()
      if (rows.ended() > 0) await quiet(() => rows.ended())
      letters.check()
      end = letters.end() ?? (await turn(options, rows, letters, alarm.wait))
    }
  } finally {
    signal.removeEventListener('abort', alarm.wake)
    await letters.all()
    await rows.note()
  }
  letters.check()
  return end
}

type Letters = ReturnType<typeof underWay>

/** The letters that are under way, and what is learned from their ends. */
function underWay(options: SendOptions, rows: Hand, onEnd: () => void) {
  const { mailer, rateLimiter, retryPolicy } = options
  const breaker = circuitBreaker(retryPolicy, options.stopShare)
  const running = new Set<Promise<void>>()
  let broken: { readonly error: unknown } | undefined
  let putOff = ''

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const { number, tries } = delivery
    const made = await prepare(delivery, options, rows)
    if ('dueAt' in made) {
      rateLimiter.refund()
      return rows.end({ number, tries, status: 'queued', ...made })
    }
    const outcome = await mailer.send(made.message)
    const result = resultOf(delivery, outcome, retryPolicy)
    breaker.note(outcome, result.status)
    if (result.status === 'queued') putOff = result.answer
    rows.end({ ...result, language: made.message.language, at: options.leftAt?.() })
  }

  return {
    breaker,
    size: () => running.size,
    all: () => Promise.all(running),
    /** What the mail server said last of one that is tried again. */
    putOff: () => putOff,
    /** How many more may be begun, and in how many milliseconds; `pause` is the breaker's part of that. */
    free() {
      const pause = breaker.rest()
      const slots = (breaker.isTripped ? 1 : mailer.connections) - running.size
      return { slots, pause, rest: Math.max(pause, rateLimiter.wait()) }
    },
    start(delivery: ClaimedDelivery) {
      const task = deliver(delivery)
        .catch((error) => {
          broken ??= { error }
        })
        .finally(() => {
          running.delete(task)
          onEnd()
        })
      running.add(task)
    },
    /** @throws what any of them threw first */
    check() {
      if (broken) throw broken.error
    },
    /** Why no other is begun. */
    end: (): SendEnd | undefined =>
      breaker.end ?? (options.signal.aborted ? { why: 'interrupted', answer: '' } : undefined),
  }
}

async function prepare(
  delivery: ClaimedDelivery,
  { message, retryPolicy }: SendOptions,
  rows: Hand,
): Promise<Prepared> {
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

const done: SendEnd = { why: 'done', answer: '' }

/** Begins letters that may leave now, or waits for what is next. @returns why to end */
async function turn(
  options: SendOptions,
  rows: Hand,
  letters: Letters,
  wait: (ms?: number) => Promise<void>,
): Promise<SendEnd | undefined> {
  const { retryPolicy, gate } = options
  const { slots, rest, pause } = letters.free()
  if (pause > 0) options.onWait({ code: 'mail', answer: letters.breaker.answer })
  if (slots > 0 && rest === 0 && rows.mayHaveMore()) {
    if (gate?.isDue()) return gate.pass()
    if (await begin(options, rows, letters)) return undefined
  } else await rows.note()
  // What has ended meanwhile is noted first: it may be put off.
  if (rows.ended() > 0) return undefined
  if (rest === Number.POSITIVE_INFINITY && letters.size() === 0) return done
  if (slots > 0 && rest > 0 && Number.isFinite(rest)) await wait(Math.min(rest, LONGEST_WAIT_MS))
  // A row may be due again before a message ends.
  else if (letters.size() > 0) await wait(slots > 0 ? retryPolicy.poll : undefined)
  else return untilDue(options, await rows.nextRetry(), letters, wait)
  return undefined
}

/** Claims rows and begins their letters at once. @returns whether there were any */
async function begin(
  { rateLimiter, gate }: SendOptions,
  rows: Hand,
  letters: Letters,
): Promise<boolean> {
  const claimed = await rows.claim(Math.min(letters.free().slots, rateLimiter.ready()))
  // The ledger may have taken its time: letters have ended meanwhile, or the gate is to be passed again.
  const isLate = gate?.isDue() ?? false
  for (const delivery of claimed) {
    const { slots, rest } = letters.free()
    if (isLate || letters.end() || slots <= 0 || rest > 0) {
      const { number, tries } = delivery
      rows.end({ number, tries, status: 'returned' })
      continue
    }
    rateLimiter.spend(1)
    letters.start(delivery)
  }
  return claimed.length > 0
}

/** Waits until a row that was put off is due. @returns why to end where it is not waited for */
async function untilDue(
  { retryPolicy, untilNow }: SendOptions,
  due: Date | undefined,
  letters: Letters,
  wait: (ms: number) => Promise<void>,
): Promise<SendEnd | undefined> {
  if (!due) return done
  const left = Math.max(0, due.getTime() - Date.now())
  if (untilNow && left > 0) return done
  if (retryPolicy.patience && left > retryPolicy.patience)
    return { why: 'deferring', answer: letters.putOff() }
  await wait(Math.min(left, retryPolicy.maxPause))
  return undefined
}

/** Waits until a message has ended, or the run was told to stop, since `begin`; or for a time. */
function waking() {
  let happened = Promise.withResolvers<void>()
  return {
    begin() {
      happened = Promise.withResolvers()
    },
    wake: () => happened.resolve(),
    async wait(ms?: number): Promise<void> {
      if (ms === undefined) return happened.promise
      const enough = new AbortController()
      const time = sleep(ms, undefined, enough).catch(() => {})
      await Promise.race([happened.promise, time])
      enough.abort()
    },
  }
}

/** Waits while each turn of the event loop brings a result, so that one commit takes all of them. */
async function quiet(ended: () => number): Promise<void> {
  for (let before = 0; ended() > before; await immediate()) before = ended()
}
