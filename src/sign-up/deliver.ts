import {
  isAboutUs,
  type Mailer,
  MailerUnusable,
  type Message,
  type SendOutcome,
} from '../mail/mailer.ts'
import { afterSending } from '../people/after-sending.ts'
import type { Pending } from '../people/pending.ts'
import type { ClaimedLetter, DecideLetter, SettledLetter } from '../people/requests.ts'
import { backOff, type RetryPolicy, waitAfter } from '../queue/retry-policy.ts'
import { type KindTimes, sending, type Work } from '../queue/sending-round.ts'
import type { Answer } from '../queue/waiting-line.ts'
import type { Requests } from '../store/store.ts'

interface DeliverOptions {
  readonly requests: Pick<Requests, 'claimLetters' | 'settleLetters'>
  readonly mailer: Mailer
  readonly decide: DecideLetter
  readonly letter: (addressId: string, pending: Pending) => Message
  /** Logs when letters cannot leave and when they can again; without addresses. */
  readonly log: (message: string) => void
  readonly times?: Partial<LetterTimes>
}

export interface LetterTimes extends KindTimes {
  /** Of a letter that could not leave, or is put off for what we do. */
  readonly soon: RetryPolicy
  /** Of a letter that is put off for its recipient, or may have left. */
  readonly later: RetryPolicy
}

const MINUTE = 60_000

const usual: LetterTimes = {
  lease: 15 * MINUTE,
  look: 1000,
  pauses: backOff(5000, MINUTE).waits,
  late: 4000,
  soon: backOff(5000, 5 * MINUTE),
  later: backOff(MINUTE, 360 * MINUTE, 4),
}

/** Sends the letters that are due, apart from the answers to visitors. */
export function letterRounds(options: DeliverOptions): Work {
  const { requests, mailer, decide, letter, log } = options
  const times = { ...usual, ...options.times }

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
    if (kind === 'uncertain') return waitAfter(1, times.later)
    if (isUnsent(kind) || isAboutUs(says)) return waitAfter(tries, times.soon)
    return waitAfter(tries, times.later, waitMs)
  }

  const work = sending(
    {
      what: 'Confirmation letters',
      to: 'the mail server',
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
      times,
    },
    log,
  )
  return { ...work, end: mailer.close }
}

const isUnsent = (kind: SendOutcome['kind']) => kind === 'unsent' || kind === 'unusable'
