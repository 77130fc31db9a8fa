import type { Brake, HeldLetters } from '../shared/held-letters.ts'
import type { Source } from '../shared/source.ts'
import type { LetterCounts } from './brake.ts'
import type { Consent, Pending, Shown } from './pending.ts'
import type { StandingEntry } from './standing.ts'

/**
 * Those who asked to be told and have to confirm it: the letters that must leave after a sign-up
 * was committed, and who has not confirmed. None of them is on the list before they confirm. What
 * follows from what is decided by whoever calls; a decision may be asked for more than once, and
 * is taken alone with what it was given.
 */
export interface Outbox {
  /**
   * Keeps that somebody left an address: one row for each time, whoever it is, so that nothing has
   * to be looked up. Resolves only when the row would survive a power failure.
   *
   * @param email as `parseEmail` returns it. @throws StoreUnavailable
   */
  requestConfirmation(email: string, asked: Asked): Promise<void>

  /**
   * Looks at rows that are due, in the order of `placeInLine`, and does with each what `decide` says.
   *
   * @param limit the most that are given. @param leaseMs when a row that is given is due again,
   *   unless it is settled. @throws StoreUnavailable
   */
  claimLetters(limit: number, leaseMs: number, decide: DecideLetter): Promise<ClaimedLetters>

  /** Notes how sending ended. @throws StoreUnavailable */
  settleLetters(letters: readonly SettledLetter[]): Promise<void>

  /**
   * Changes what is pending of an address.
   *
   * @param email of it, where nothing may be pending yet. @throws StoreUnavailable
   */
  changePending<T>(
    addressId: string,
    decide: (found: Found, now: Date) => PendingChange<T>,
    email?: string,
  ): Promise<T>

  /** All that is pending, in no order, in constant memory. @throws StoreUnavailable */
  pending(): AsyncIterable<Pending>

  /** How many rows wait for what. @throws StoreUnavailable */
  heldLetters(): Promise<HeldLetters>

  /**
   * Has all letters leave that wait for something now, however many.
   *
   * @returns how many waited. @throws StoreUnavailable
   */
  releaseLetters(brake: Brake): Promise<number>

  /** @throws StoreUnavailable */
  counts(): Promise<OutboxCounts>

  /**
   * Erases what is over, so that its bytes are in none of the store's files.
   *
   * @returns the addresses of those who are on the list, but held, as `isHeldByLetter` has it: they
   *   stay until they are forgotten, which is for the caller to do. @throws StoreUnavailable
   */
  sweepPending(endOf: (pending: Pending) => PendingEnd | undefined): Promise<string[]>

  /**
   * Erases rows from before then whose letter has not left, as `sweepPending` does, and what browsers
   * wrote before then that nobody has taken in. @throws StoreUnavailable
   */
  dropRequests(before: Date): Promise<void>
}

export interface Asked {
  readonly shown: Shown
  /** Whether others go first, as they do before whoever came with signs of a robot. */
  readonly isCrowd: boolean
  /** Names of the signs of a robot that were seen, such as `hidden-field, too-quick`. */
  readonly suspicion?: string | undefined
  readonly source?: Source | undefined
  /** The keyed hash of the client network it came from; none where a browser wrote it into Firestore. */
  readonly network?: string | undefined
}

/** One time that somebody left an address. */
export interface ConfirmationRequest {
  readonly id: string
  readonly email: string
  readonly addressId: string
  readonly at: Date
  readonly shown: Shown
  readonly suspicion?: string | undefined
  readonly source?: Source | undefined
  readonly network?: string | undefined
  /** How often it was given to be sent. */
  readonly tries: number
}

/** What is known of an address when something is decided. */
export interface Found {
  readonly pending: Pending | undefined
  /** All that had letters and lead to the same mailbox, itself included. */
  readonly mailbox: readonly Pending[]
  readonly isOnList: boolean
  readonly standing: StandingEntry | undefined
  /** The receipt of whoever confirmed, however long ago. */
  readonly consent: Consent | undefined
  /** That of the address, as `languageIn` gives it. */
  readonly language?: string | undefined
  /** Where a letter is decided. */
  readonly counts?: LetterCounts
}

export interface LetterDecision {
  /** What is kept from now on; left out, nothing changes. */
  readonly pending?: Pending
  readonly isSent?: boolean
  /** When the row is looked at again, where nothing is sent; left out, it is done with. */
  readonly dueAt?: Date
  /** What it waits for until then, where others may go ahead of it from now on. */
  readonly waitsFor?: Brake
}

export type DecideLetter = (request: ConfirmationRequest, found: Found, now: Date) => LetterDecision

export interface ClaimedLetters {
  /** Those that are to be sent, noted as sent already. */
  readonly letters: readonly ClaimedLetter[]
  /**
   * Whether rows that are due may be left, as a look takes so many and no more. Never where a look
   * was done with none of them, so that whoever goes on at once comes to an end.
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
  /** What is kept of it; left out, nothing changes. Somebody who is not pending any more stays so. */
  readonly change?: ((pending: Pending) => Pending) | undefined
  /** When it is tried again; left out, it is done with. */
  readonly dueAt?: Date | undefined
}

export interface PendingChange<T> {
  readonly result: T
  readonly pending?: Pending
  /** Puts the address on the list, to be written to; `null` takes that back. */
  readonly consent?: Consent | null
  /** Whether an address on the list is held: not written to. Left out, what is taken back is. */
  readonly isHeld?: boolean
}

/** Somebody confirmed it some time ago, nobody did, or nobody had to: they were on the list before. */
export type PendingEnd = 'confirmed' | 'expired' | 'stayed'

export interface OutboxCounts {
  /** Rows whose letter has yet to leave. */
  readonly waiting: number
  /** How many expired, ever. */
  readonly expired: number
}
