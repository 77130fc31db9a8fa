import type { RunNotes } from './run-notes.ts'

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
