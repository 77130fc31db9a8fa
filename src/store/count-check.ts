import type { Damage } from '../shared/damage.ts'

/**
 * What is counted as people change, compared with a count of everybody. A difference is a fault, of the
 * code or the disk: it is told, and the counters are put right.
 */
export interface CountCheck {
  /** Counts everybody, a few at a time: a million take minutes. @throws StoreUnavailable */
  check(signal: AbortSignal): Promise<void>
  /** What the last whole count found. @throws StoreUnavailable */
  last(): Promise<Counted | undefined>
}

/** `list` names those who cannot be read; of the counters that were wrong there are a few at most. */
export interface Counted extends Damage {
  readonly at: Date
}
