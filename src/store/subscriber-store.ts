import type { Extra } from '../people/extra.ts'
import type { Source } from '../shared/source.ts'

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
