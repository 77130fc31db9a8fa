/** A lock in the store, so that only one announcement runs at a time, on whatever machine. */
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

  /** Releases the lock; does nothing if another run holds it by now. @throws StoreUnavailable */
  release(owner: string): Promise<void>
}

export interface LockHolder {
  /** Random, one for each run. */
  readonly owner: string
  /** Identifies the machine, its boot and its container, within which a `pid` is unique. */
  readonly host: string
  readonly pid: number
}

/** Another run holds the lock now; this run must stop at once. */
export class LockLost extends Error {
  override readonly name = 'LockLost'
}
