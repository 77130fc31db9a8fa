/**
 * The store cannot be used now: a lock, a full disk, a network that is down. Its message is for the
 * log: a reason without addresses. A fault of ours is no outage and is thrown as it is.
 */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/**
 * The stored data is not for this program: it is of another version, or of another product. Only the
 * operator can change that, so a server does not start.
 */
export class StoreMismatch extends StoreUnavailable {
  override readonly name = 'StoreMismatch'
}
