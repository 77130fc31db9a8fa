import type { Announcement } from '../store/delivery-ledger.ts'
import type { AlsoWhoGot } from './left-out.ts'

/** Which recipients of an announcement a run may send to. */
export interface RecipientSelection {
  readonly id: string
  /** Also tells those who signed up since the cut-off. */
  readonly includeNew?: boolean | undefined
  /** Sends only what ended so before; nobody else. */
  readonly retry?: 'failed' | 'uncertain' | undefined
  /** Of all who are eligible, in order of sign-up, how many may have been tried when it ends. */
  readonly first?: ((eligible: number) => number) | undefined
  /** Whoever got another announcement is left out, but for these. */
  readonly alsoWhoGot?: AlsoWhoGot | undefined
}

/** Who signed up in time. A cut-off stays until everybody has a row. */
export function untilCutOff(
  announcement: Announcement | undefined,
  { includeNew }: RecipientSelection,
) {
  const isMoved = includeNew && announcement?.eligible !== undefined
  return announcement && !isMoved ? { until: announcement.cutOff } : {}
}

/** @param taken how many of the eligible have been tried before, or left out. */
export function mayBeTaken(
  eligible: number,
  taken: number,
  { retry, first }: RecipientSelection,
): number {
  if (retry) return 0
  const untried = Math.max(0, eligible - taken)
  return first ? Math.min(untried, Math.max(0, first(eligible) - taken)) : untried
}
