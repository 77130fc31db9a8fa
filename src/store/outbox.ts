import type { Press } from '../people/changes.ts'
import type { KnownFields } from '../people/known-fields.ts'
import type { Pending, Shown } from '../people/pending.ts'
import type { StandingEntry } from '../people/standing.ts'
import type { Brake, HeldLetters } from '../shared/held-letters.ts'
import type { Source } from '../shared/source.ts'
import type { LetterCounts } from './brake.ts'

/**
 * Visitors who have to confirm their sign-up: the letters that must leave after the commit, and
 * those who have not confirmed. None of them is on the list before they confirm. The caller makes
 * the decisions; a decision may be asked for more than once, and is made in a transaction, only
 * from its arguments.
 */
export interface Outbox {
  /**
   * Stores that an address was left: one row for each time, for known and new addresses alike, so
   * that nothing has to be looked up. Resolves only when the row would survive a power failure.
   *
   * @param email as `parseEmail` returns it. @throws StoreUnavailable
   */
  requestConfirmation(email: string, asked: Asked): Promise<void>

  /**
   * Looks at due rows, in the order of `placeInLine`, and does with each what `decide` says.
   *
   * @param limit the most letters that are given. @param leaseMs when a given row is due again,
   *   unless it is settled. @throws StoreUnavailable
   */
  claimLetters(limit: number, leaseMs: number, decide: DecideLetter): Promise<ClaimedLetters>

  /** Notes how sending ended. @throws StoreUnavailable */
  settleLetters(letters: readonly SettledLetter[]): Promise<void>

  /**
   * Changes the pending request of an address.
   *
   * @param email of the address, if it may have none yet. @throws StoreUnavailable
   */
  changePending<T>(
    addressId: string,
    decide: (found: Found, now: Date) => PendingChange<T>,
    email?: string,
  ): Promise<T>

  /** All pending requests, in no order, in constant memory. @throws StoreUnavailable */
  pending(): AsyncIterable<Pending>

  /** How many rows are held, by reason. @throws StoreUnavailable */
  heldLetters(): Promise<HeldLetters>

  /**
   * Releases all letters that are held for a reason.
   *
   * @returns how many were held. @throws StoreUnavailable
   */
  releaseLetters(brake: Brake): Promise<number>

  /** @throws StoreUnavailable */
  counts(): Promise<OutboxCounts>

  /**
   * Erases requests that are over, so that their bytes are in none of the store's files.
   *
   * @returns the addresses on the list that are held, by `isHeldByLetter`: the caller has to forget
   *   them. @throws StoreUnavailable
   */
  sweepPending(endOf: (pending: Pending) => PendingEnd | undefined): Promise<string[]>

  /**
   * Erases rows from before then whose letter has not left, as `sweepPending` does, and requests of
   * browsers from before then that no server has taken in. @throws StoreUnavailable
   */
  dropRequests(before: Date): Promise<void>
}

export interface Asked {
  readonly shown: Shown
  /** Whether others go first, as they do before visitors with signs of a robot. */
  readonly isCrowd: boolean
  /** Names of the signs of a robot that were seen, such as `hidden-field, too-quick`. */
  readonly suspicion?: string | undefined
  readonly source?: Source | undefined
  /** The keyed hash of the client network it came from; none where a browser wrote it into Firestore. */
  readonly network?: string | undefined
  /** The address id of who brought them, by a personal link. */
  readonly broughtBy?: string | undefined
}

/** One request: an address was left once. */
export interface ConfirmationRequest extends Omit<Asked, 'isCrowd'> {
  readonly id: string
  readonly email: string
  readonly addressId: string
  readonly at: Date
  /** How often its letter was given to be sent. */
  readonly tries: number
}

/** The data of an address for a decision. */
export interface Found extends KnownFields {
  readonly pending: Pending | undefined
  /** All requests that had letters to the same mailbox, with this one. */
  readonly mailbox: readonly Pending[]
  readonly isOnList: boolean
  readonly standing: StandingEntry | undefined
  /** Only for the decision on a letter. */
  readonly counts?: LetterCounts
}

export interface LetterDecision {
  /** The new pending request; left out, nothing changes. */
  readonly pending?: Pending
  readonly isSent?: boolean
  /** When the row is looked at again, if nothing is sent; left out, the row is done. */
  readonly dueAt?: Date
  /** The reason why it is held until then; others may go ahead of it. */
  readonly waitsFor?: Brake
}

export type DecideLetter = (request: ConfirmationRequest, found: Found, now: Date) => LetterDecision

export interface ClaimedLetters {
  /** The letters to send, noted as sent already. */
  readonly letters: readonly ClaimedLetter[]
  /**
   * Whether due rows may be left, since one look takes a limited number. Never true if a look
   * finished none of them, so that a caller that goes on at once comes to an end.
   */
  readonly isMore: boolean
}

export interface ClaimedLetter {
  readonly request: ConfirmationRequest
  readonly pending: Pending
  readonly before: Pending | undefined
}

export interface SettledLetter {
  readonly request: ConfirmationRequest
  /** Changes the pending request; left out, nothing changes. A request that is gone stays gone. */
  readonly change?: ((pending: Pending) => Pending) | undefined
  /** When it is tried again, behind those that were not tried; left out, it is done. */
  readonly dueAt?: Date | undefined
}

export interface PendingChange<T> extends Press {
  readonly result: T
}

/**
 * It was confirmed some time ago, it expired, or the subscriber from before stays without an
 * answer.
 */
export type PendingEnd = 'confirmed' | 'expired' | 'stayed'

export interface OutboxCounts {
  /** Rows whose letter has yet to leave. */
  readonly waiting: number
  /** How many have ever expired. */
  readonly expired: number
}
