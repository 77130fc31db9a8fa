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
import type { Answer } from '../queue/line.ts'
import { backOff, waitAfter } from '../queue/retry-policy.ts'
import { rounds, sending, type Work } from '../queue/round.ts'
import type { ClaimedLetter, Requests, SettledLetter } from '../store/requests.ts'

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
  /** A letter that the mail server keeps waiting for longer keeps no other waiting. */
  readonly late: number
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
  late: 4000,
}

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
export function letterRounds(options: DeliverOptions): Required<Work> {
  const { requests, mailer, decide, letter, log } = options
  const times = { ...usual, ...options.times }
  const [soon, later] = [
    backOff(times.pause, times.longestWait),
    backOff(times.retry, times.longestRetry, 4),
  ]

  async function send(claimed: ClaimedLetter): Promise<Answer> {
    const outcome = await mailer
      .send(letter(claimed.request.addressId, claimed.pending))
      .catch((cause: unknown): SendOutcome => {
        if (cause instanceof MailerUnusable) return { kind: 'unusable', answer: cause.message }
        throw cause
      })
    // At once: what is sent and not settled is sent again once its lease is over.
    await requests.settleLetters([settled(claimed, outcome)])
    const { kind, answer } = outcome
    // Whatever it answers to one, the mail server is there.
    return isUnsent(kind) ? { kind: 'failed', failure: answer, isAway: true } : { kind: 'taken' }
  }

  function settled({ request, before }: ClaimedLetter, outcome: SendOutcome): SettledLetter {
    const { kind } = outcome
    const change = afterSending(outcome, before)
    if (kind === 'accepted' || kind === 'refused') return { request, change }
    return { request, change, dueAt: new Date(Date.now() + waitOf(outcome, request.tries + 1)) }
  }

  function waitOf({ kind, says, waitMs }: SendOutcome, tries: number): number {
    // A letter that may have left counts, so the next one has to wait.
    if (kind === 'uncertain') return times.retry
    if (isUnsent(kind) || isAboutUs(says)) return waitAfter(tries, soon)
    return waitAfter(tries, later, waitMs)
  }

  return sending(
    {
      get atOnce() {
        return mailer.connections
      },
      get most() {
        return mailer.connections
      },
      async claim(limit) {
        const { letters, isMore } = await requests.claimLetters(limit, times.lease, decide)
        return { items: letters, isMore }
      },
      send,
      person: ({ request }) => request.addressId,
      words: {
        failing: (failure) => `A confirmation letter cannot leave: ${failure}`,
        away: (failure) => `Confirmation letters cannot leave: ${failure}`,
        back: 'Confirmation letters can leave again.',
        fault: (name) => `No confirmation letter can leave: ${name}`,
      },
      times: {
        lease: times.lease,
        look: times.every,
        pauses: backOff(times.pause, times.longestPause).waits,
        late: times.late,
      },
    },
    log,
  )
}

const isUnsent = (kind: SendOutcome['kind']) => kind === 'unsent' || kind === 'unusable'
