/** Lets one announcement run at a time, whichever machine it runs on: it lives with the subscribers. */
export interface RunLock {
  /**
   * Takes the lock if it is free, if its lease has run out or if its holder is `insteadOf`.
   *
   * @param leaseMs how long it is held without `renew`, by one clock for all (the store's).
   * @returns who holds it now: `holder` if it was taken. @throws StoreUnavailable
   */
  acquire(holder: LockHolder, leaseMs: number, insteadOf?: string): Promise<LockHolder>

  /** Holds it for another `leaseMs` from now. @throws LockLost, StoreUnavailable */
  renew(owner: string, leaseMs: number): Promise<void>

  /** Who holds it now, if anybody does. @throws StoreUnavailable */
  holder(): Promise<LockHolder | undefined>

  /**
   * Whether its last holder never let go of it and could not have it any more before a time, as one
   * that was killed. @throws StoreUnavailable
   */
  isAbandoned(before: Date): Promise<boolean>

  /** Lets go of it; does nothing if it is another's by now. @throws StoreUnavailable */
  release(owner: string): Promise<void>
}

export interface LockHolder {
  /** Random, one for each run. */
  readonly owner: string
  /** Identifies the machine: where it is equal, an equal `pid` means the same process. */
  readonly host: string
  readonly pid: number
}

/** Another run has the lock now: whoever gets this stops at once. */
export class LockLost extends Error {
  override readonly name = 'LockLost'
}
