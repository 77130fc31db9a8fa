import type { Source } from '../shared/source.ts'
import type { Subscriber } from '../shared/subscriber.ts'

/** Keeps subscribers, one address at a time. */
export interface SignUps {
  /**
   * Adds a subscriber. A known address keeps its time, and the call takes as long and resolves alike.
   * A sign-up lifts the standings that `isLiftedBySignUp` names. One with signs of a robot quarantines
   * instead an address that is new or that it would lift, and changes nothing of others. The addresses with which a check of
   * the site signs up are never kept, here or in an import.
   * Resolves only when the subscriber would survive a power failure.
   *
   * @param email as `parseEmail` returns it.
   * @param notes what was seen of the sign-up.
   * @throws StoreUnavailable when that cannot be promised; it may be tried again. On a disk that
   *   wrote but failed to sync, it can turn out to have been kept all the same.
   */
  add(email: string, notes?: SignUpNotes): Promise<void>

  /** The subscriber with this address, if there is one. @throws StoreUnavailable */
  find(email: string): Promise<Subscriber | undefined>

  /** How many subscribers there are, those who unsubscribed included. @throws StoreUnavailable */
  count(): Promise<number>
}

/** What was seen of one sign-up, beside its address. */
export interface SignUpNotes {
  /** Names of the signs of a robot that were seen, such as `hidden-field, too-quick`. */
  readonly suspicion?: string | undefined
  /** Where a new address comes from; one that is on the list keeps what it has. */
  readonly source?: Source | undefined
  /** The language of the page, as BCP 47 has it; an address that is on the list keeps what it has. */
  readonly language?: string | undefined
}

/**
 * The store cannot be used now: a lock, a full disk, a network that is down. Its message is for the
 * log: a reason, never an address. A fault of ours is no outage and is thrown as what it is.
 */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/**
 * What is kept is not for this program: it is of a newer version, of another product, or of an older
 * version that could not be brought up. Only an operator can change that, so a server does not start.
 */
export class StoreMismatch extends StoreUnavailable {
  override readonly name = 'StoreMismatch'
}
