/**
 * Lets one announcement run at a time on all machines, since the lock is stored with the
 * subscribers.
 */
export interface RunLock {
  /**
   * Takes the lock if it is free, if its lease has run out or if its holder is `insteadOf`.
   *
   * @param leaseMs how long it is held without `renew`, by the store's clock.
   * @returns its holder now: `holder` if it was taken. @throws StoreUnavailable
   */
  acquire(holder: LockHolder, leaseMs: number, insteadOf?: string): Promise<LockHolder>

  /** Holds it for another `leaseMs` from now. @throws LockLost, StoreUnavailable */
  renew(owner: string, leaseMs: number): Promise<void>

  /** Its holder now, if there is one. @throws StoreUnavailable */
  holder(): Promise<LockHolder | undefined>

  /**
   * Whether its last holder never released it, and its lease ended before a time, as after a kill.
   * @throws StoreUnavailable
   */
  isAbandoned(before: Date): Promise<boolean>

  /** Releases it; does nothing if another run has it by now. @throws StoreUnavailable */
  release(owner: string): Promise<void>
}

export interface LockHolder {
  /** Random, one for each run. */
  readonly owner: string
  /** Identifies the machine: where it is equal, an equal `pid` means the same process. */
  readonly host: string
  readonly pid: number
}

/** The name of its machine, for people: `host` has more in it, such as a number for each boot. */
export const machineOf = ({ host }: Pick<LockHolder, 'host'>) => host.split(' ', 1)[0] ?? host

/** Another run has the lock now, so this one stops at once. */
export class LockLost extends Error {
  override readonly name = 'LockLost'
}
