import { type Mailer, MailerUnusable, type Message, type SendOutcome } from '../mail/mailer.ts'
import type { ClaimedLetter, DecideLetter, Outbox, SettledLetter } from '../store/outbox.ts'
import type { Pending } from '../store/pending.ts'
import { afterSending } from './after-sending.ts'
import { type RoundsOptions, rounds } from './rounds.ts'

export interface DeliverOptions {
  readonly outbox: Pick<Outbox, 'claimLetters' | 'settleLetters'>
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
  /** The pause while the mail server is away; it doubles each time, up to the longest. */
  readonly pause: number
  readonly longestPause: number
  /** The pause after a deferred letter; four times as long each time, up to the longest. */
  readonly retry: number
  readonly longestRetry: number
}

const MINUTE = 60_000

const usual: DeliverTimes = {
  every: 1000,
  lease: 15 * MINUTE,
  pause: 5000,
  longestPause: 5 * MINUTE,
  retry: MINUTE,
  longestRetry: 360 * MINUTE,
}

/** Sends the outbox until it is closed, apart from the answers to visitors. */
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
  const { outbox, mailer, decide, letter, log } = options
  const times = { ...usual, ...options.times }
  let problem: string | undefined
  let pause = times.pause

  function say(reason: string | undefined) {
    if (reason && problem === undefined) log(`Confirmation letters cannot leave: ${reason}`)
    if (!reason && problem !== undefined) log('Confirmation letters can leave again.')
    problem = reason
  }

  async function send(claimed: ClaimedLetter) {
    const { request, pending } = claimed
    const outcome = await mailer
      .send(letter(request.addressId, pending))
      .catch((cause: unknown): SendOutcome => {
        if (cause instanceof MailerUnusable) return { kind: 'unusable', answer: cause.message }
        throw cause
      })
    await outbox.settleLetters([settled(claimed, outcome, times)])
    return outcome
  }

  /** @returns whether there may be more to do at once. */
  async function round(): Promise<boolean> {
    // After an outage, one letter tests whether the mail server is back.
    const limit = problem === undefined ? mailer.connections : 1
    const { letters, isMore } = await outbox.claimLetters(limit, times.lease, decide)
    const outcomes = await Promise.all(letters.map(send))
    const away = outcomes.find(({ kind }) => kind === 'unsent' || kind === 'unusable')
    // A request without a letter delays no other.
    if (outcomes.length === 0) return isMore
    say(away?.answer)
    if (!away) pause = times.pause
    return !away
  }

  function nextPause() {
    if (problem === undefined) return times.every
    const wait = pause
    pause = Math.min(2 * pause, times.longestPause)
    return wait
  }

  return { round, nextPause, onFault: (cause) => say(cause.message) }
}

function settled(
  { request, before }: ClaimedLetter,
  outcome: SendOutcome,
  times: DeliverTimes,
): SettledLetter {
  const { kind } = outcome
  const change = afterSending(outcome, before)
  if (kind === 'accepted' || kind === 'refused') return { request, change }
  const isPutOff = kind === 'deferred'
  const putOff = isPutOff ? Math.min(times.retry * 4 ** request.tries, times.longestRetry) : 0
  // A letter that may have left counts, so the next one has to wait.
  const wait = kind === 'uncertain' ? times.retry : putOff
  return { request, change, dueAt: new Date(Date.now() + wait) }
}
