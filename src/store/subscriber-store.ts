import type { Extra } from '../people/extra.ts'
import type { Source } from '../shared/source.ts'
import type { Subscriber } from '../shared/subscriber.ts'
import type { Origin } from './subscriber-list.ts'

/** Stores subscribers, one address at a time. */
export interface SignUps {
  /**
   * Appends a sign-up; nothing of what is known is looked up. As it is taken in, a known address keeps
   * its time, and the standings that `isLiftedBySignUp` names are lifted. A sign-up with signs of a
   * robot instead quarantines an address that is new or whose standing it would lift, and changes no
   * other address. The addresses of a check of the site are never stored, here or in an import.
   * Resolves only when the sign-up would survive a power failure.
   *
   * @param email as `parseEmail` returns it. @param notes what was seen of the sign-up.
   * @throws StoreUnavailable when that cannot be promised; it may be tried again. On a disk that
   *   wrote but failed to sync, it can turn out to have been kept all the same.
   */
  add(email: string, notes?: SignUpNotes): Promise<void>

  /** The subscriber with this address, if there is one. @throws StoreUnavailable */
  find(email: string): Promise<(Subscriber & Origin) | undefined>

  /** How many subscribers there are, with those who unsubscribed. @throws StoreUnavailable */
  count(): Promise<number>
}

/** What is known of one sign-up besides its address. */
export interface SignUpNotes {
  /** Names of the signs of a robot that were seen, such as `hidden-field, too-quick`. */
  readonly suspicion?: string | undefined
  /** The source of a new address; a known address keeps its own. */
  readonly source?: Source | undefined
  /** What they said beside it, as `fieldsIn` reads it; an address on the list keeps what it has. */
  readonly fields?: Extra | undefined
  /** Random, where the page asks its question: who has it may answer, if this sign-up brings them. */
  readonly key?: string | undefined
}

/**
 * The store cannot be used now: a lock, a full disk, a network that is down. Its message is for the
 * log: a reason without addresses. A fault of ours is no outage and is thrown as it is.
 */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/** A copy that is dated after this machine's clock. */
export class CopyFromLater extends StoreUnavailable {}

/**
 * The stored data is not for this program: it is of another version, or of another product. Only the
 * operator can change that, so a server does not start.
 */
export class StoreMismatch extends StoreUnavailable {
  override readonly name = 'StoreMismatch'
}
