import {
  isAboutUs,
  type Mailer,
  MailerUnusable,
  type Message,
  type SendOutcome,
} from '../mail/mailer.ts'
import { afterSending } from '../people/after-sending.ts'
import type { Pending } from '../people/pending.ts'
import type { DecideLetter } from '../people/requests.ts'
import type { ClaimedLetter, Requests, SettledLetter } from '../store/requests.ts'
import { type RoundsOptions, rounds } from './rounds.ts'

export interface DeliverOptions {
  readonly requests: Pick<Requests, 'claimLetters' | 'settleLetters'>
  readonly mailer: Mailer
  readonly decide: DecideLetter
  readonly letter: (addressId: string, pending: Pending) => Message
  /** Logs when letters cannot leave and when they can again; without addresses. */
  readonly log: (message: string) => void
  readonly times?: Partial<DeliverTimes>
}

/** All in milliseconds. */
export interface DeliverTimes {
  /** How often it looks for due letters. It never depends on sign-ups, so it reveals none. */
  readonly every: number
  /** Longer than a letter can take. */
  readonly lease: number
  /**
   * The pause while the mail server is away, and the wait of a letter that could not leave; each
   * doubles each time, up to its longest.
   */
  readonly pause: number
  readonly longestPause: number
  readonly longestWait: number
  /** The pause after a deferred letter; four times as long each time, up to the longest. */
  readonly retry: number
  readonly longestRetry: number
}

const MINUTE = 60_000

const usual: DeliverTimes = {
  every: 1000,
  lease: 15 * MINUTE,
  pause: 5000,
  longestPause: MINUTE,
  longestWait: 5 * MINUTE,
  retry: MINUTE,
  longestRetry: 360 * MINUTE,
}

/**
 * The mail server is away once letters to this many addresses could not leave, and none was answered
 * since: one alone may fail for its address.
 */
const SEVERAL = 3

/** Sends the requests until it is closed, apart from the answers to visitors. */
export function deliver(options: DeliverOptions): { close(): Promise<void> } {
  const { close } = rounds(letterRounds(options))
  return {
    async close() {
      // Letters that are not settled by then are due again when their lease runs out.
      await close()
      options.mailer.close()
    },
  }
}

/** What a round sends, and how long to wait after it. */
export function letterRounds(options: DeliverOptions): RoundsOptions {
  const { requests, mailer, decide, letter, log } = options
  const times = { ...usual, ...options.times }
  /** The addresses of the letters that could not leave since the last answer. */
  const failing = new Set<string>()
  let state: 'well' | 'failing' | 'away' = 'well'
  let pause = times.pause

  function enter(next: typeof state, reason = '') {
    if (next === state) return
    if (next === 'failing') log(`A confirmation letter cannot leave: ${reason}`)
    else if (next === 'away') log(`Confirmation letters cannot leave: ${reason}`)
    else if (state === 'away') log('Confirmation letters can leave again.')
    state = next
  }

  async function send(claimed: ClaimedLetter) {
    const { request, pending } = claimed
    const outcome = await mailer
      .send(letter(request.addressId, pending))
      .catch((cause: unknown): SendOutcome => {
        if (cause instanceof MailerUnusable) return { kind: 'unusable', answer: cause.message }
        throw cause
      })
    await requests.settleLetters([settled(claimed, outcome)])
    return { ...outcome, addressId: request.addressId }
  }

  function settled({ request, before }: ClaimedLetter, outcome: SendOutcome): SettledLetter {
    const { kind } = outcome
    const change = afterSending(outcome, before)
    if (kind === 'accepted' || kind === 'refused') return { request, change }
    return { request, change, dueAt: new Date(Date.now() + waitOf(outcome, request.tries)) }
  }

  function waitOf({ kind, says, waitMs = 0 }: SendOutcome, tries: number): number {
    // A letter that may have left counts, so the next one has to wait.
    if (kind === 'uncertain') return times.retry
    if (isUnsent(kind) || isAboutUs(says))
      return Math.min(times.pause * 2 ** tries, times.longestWait)
    return Math.min(Math.max(waitMs, times.retry * 4 ** tries), times.longestRetry)
  }

  /** @returns whether there may be more to do at once. */
  async function round(): Promise<boolean> {
    const { letters, isMore } = await requests.claimLetters(mailer.connections, times.lease, decide)
    const outcomes = await Promise.all(letters.map(send))
    // A request without a letter delays no other.
    if (outcomes.length === 0) return isMore
    const unsent = outcomes.filter(({ kind }) => isUnsent(kind))
    if (unsent.length < outcomes.length) failing.clear()
    else for (const { addressId } of unsent) failing.add(addressId)
    const is = failing.size >= SEVERAL ? 'away' : failing.size > 0 ? 'failing' : 'well'
    enter(is, unsent[0]?.answer)
    if (state !== 'away') pause = times.pause
    return state !== 'away'
  }

  function nextPause() {
    if (state !== 'away') return times.every
    const wait = pause
    pause = Math.min(2 * pause, times.longestPause)
    return wait
  }

  return { round, nextPause, onFault: (cause) => enter('away', cause.message) }
}

const isUnsent = (kind: SendOutcome['kind']) => kind === 'unsent' || kind === 'unusable'
