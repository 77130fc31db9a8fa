import type { Pending } from '../people/pending.ts'
import type { PendingChange } from '../people/press.ts'
import type { Asked } from '../people/request.ts'
import type { ConfirmationRequest, DecideLetter, Found, LetterEnd } from '../people/requests.ts'
import type { Brake, HeldLetters } from '../shared/held-letters.ts'

/**
 * Visitors who have to confirm their sign-up: the letters that must leave after the commit, and
 * those who have not confirmed. None of them is on the list before they confirm. The caller makes
 * the decisions; a decision may be asked for more than once, and is made in a transaction, only
 * from its arguments.
 */
export interface Requests {
  /**
   * Stores that an address was left: one row for each time, for known and new addresses alike, so
   * that nothing has to be looked up. Resolves only when the row would survive a power failure.
   *
   * @param email as `parseEmail` returns it. @throws StoreUnavailable
   */
  requestConfirmation(email: string, asked: Asked): Promise<void>

  /**
   * Takes in what was asked, looks at people whose letter is due, in the order of `placeInLine`, and does
   * with each what `decide` says.
   *
   * @param limit the most letters that are given. @param leaseMs when a given letter is due again,
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

  /** How many letters are held, by reason. @throws StoreUnavailable */
  heldLetters(): Promise<HeldLetters>

  /**
   * Releases all letters that are held for a reason.
   *
   * @returns how many were held. @throws StoreUnavailable
   */
  releaseLetters(brake: Brake): Promise<number>

  /** @throws StoreUnavailable */
  counts(): Promise<RequestCounts>

  /** What became of those who were asked, and have not confirmed. @throws StoreUnavailable */
  asked(): Promise<AskedCounts>

  /**
   * Erases requests that are over, so that their bytes are in none of the store's files.
   *
   * @returns the addresses on the list that are held, by `isHeldByLetter`: the caller has to forget
   *   them. @throws StoreUnavailable
   */
  sweepPending(now: Date): Promise<string[]>

  /**
   * Erases requests from before then whose letter has not left, as `sweepPending` does.
   *
   * @throws StoreUnavailable
   */
  dropRequests(before: Date): Promise<void>
}

export interface ClaimedLetters {
  /** The letters to send, noted as sent already. */
  readonly letters: readonly ClaimedLetter[]
  /**
   * Whether some may be left that are due, since one look takes a limited number. Never true if a look
   * finished none of them, so that a caller that goes on at once comes to an end.
   */
  readonly isMore: boolean
}

export interface ClaimedLetter {
  readonly request: ConfirmationRequest
  readonly pending: Pending
  readonly before: Pending | undefined
}

export interface SettledLetter extends Omit<LetterEnd, 'tries'> {
  readonly request: Pick<ConfirmationRequest, 'addressId' | 'tries'>
}

export interface RequestCounts {
  /** Those whose letter has yet to leave. */
  readonly waiting: number
  /** How many have ever expired. */
  readonly expired: number
}

export interface AskedCounts {
  /** Of those who were on the list before. */
  readonly saidNo: number
  /** Of the others. */
  readonly open: number
  readonly withSigns: number
  /** How many letters did not leave, by the mail server's answer. */
  readonly failures: Readonly<Record<string, number>>
  /** Whether anybody was asked in the last days. */
  readonly isAny: boolean
}
