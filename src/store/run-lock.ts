import type { RunNotes } from './run-notes.ts'

/**
 * The runs of announcements. One at a time has the lock, on all machines, since it is stored with the
 * subscribers; of each announcement the last run is kept.
 */
export interface RunLock {
  /**
   * Takes the lock if it is free, if its lease has run out or if its holder is `insteadOf`, and begins a
   * run of its announcement. What the run before kept for the next one goes on.
   *
   * @param leaseMs how long it is held without `renew`, by the store's clock.
   * @returns its holder now: `run` if it was taken. Where `number` is not the next one, the run that
   *   has been begun instead of it. @throws StoreUnavailable
   */
  acquire(run: NewRun, leaseMs: number, insteadOf?: string): Promise<LockHolder>

  /**
   * Holds it for another `leaseMs` from now. @param notes in the place of those before.
   * @throws LockLost, StoreUnavailable
   */
  renew(owner: string, leaseMs: number, notes?: RunNotes): Promise<void>

  /** Its holder now, if there is one. @throws StoreUnavailable */
  holder(): Promise<LockHolder | undefined>

  /** The last run of an announcement. @throws StoreUnavailable */
  run(announcement: string): Promise<Run | undefined>

  /**
   * Whose last run has the lock, never released it, and had a lease that ended before a time, as after
   * a kill; empty for what is no announcement. @throws StoreUnavailable
   */
  abandoned(before: Date): Promise<string | undefined>

  /** Releases it; does nothing if another run has it by now. @throws StoreUnavailable */
  release(owner: string, notes?: RunNotes): Promise<void>
}

export interface LockHolder {
  /** Random, one for each run; and when its process began, where that is known. */
  readonly owner: string
  /** Identifies the machine: where it is equal, an equal `pid` means the same process. */
  readonly host: string
  readonly pid: number
  /** What it sends; left out or empty for what only keeps announcements away. */
  readonly announcement?: string
}

/** The last run of an announcement: the command that sends it. */
export interface Run extends LockHolder {
  /** From 1. */
  readonly number: number
  /** Whether it has the lock, and its lease has not run out. Its process may be gone all the same. */
  readonly isHeld: boolean
  readonly notes: RunNotes
}

export interface NewRun extends LockHolder {
  /** One more than that of the last run; by default it is taken so. */
  readonly number?: number | undefined
  readonly notes?: RunNotes
}

/** The name of its machine, for people: `host` has more in it, such as a number for each boot. */
export const machineOf = ({ host }: Pick<LockHolder, 'host'>) => host.split(' ', 1)[0] ?? host

/** Another run has the lock now, so this one stops at once. */
export class LockLost extends Error {
  override readonly name = 'LockLost'
}
