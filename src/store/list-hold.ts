import type { SealState } from '../keys/seal-key.ts'
import { objectIn } from '../shared/stored-json.ts'
import { storedTime } from '../shared/stored-time.ts'

/**
 * Why a list is held: the state of a restored copy's seal; `restored` where that was whole, and only
 * what the copy does not know of may have left since.
 */
export type HoldReason = Exclude<SealState, 'whole'> | 'restored'

export interface ListHold {
  readonly why: HoldReason
  readonly since: Date
}

const reasons: readonly HoldReason[] = ['wrong', 'other', 'unknown', 'none', 'restored']

/** @returns a hold also for what cannot be read, since it was written for a reason. */
export function holdFrom(stored: unknown): ListHold | undefined {
  if (stored === undefined) return undefined
  const { why, since } = objectIn(stored) ?? {}
  return {
    why: reasons.find((one) => one === why) ?? 'unknown',
    since: storedTime(since) ?? new Date(0),
  }
}
