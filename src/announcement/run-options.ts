import type { Announcement, LeftOut, NumberRange } from '../store/delivery-ledger.ts'
import type { ListedSubscriber } from '../store/subscriber-list.ts'
import type { AlsoWhoGot } from './left-out.ts'

/** Which recipients of an announcement a run may send to. */
export interface RecipientSelection {
  readonly id: string
  /** Also tells those who came since the cut-off, or were released from a quarantine. */
  readonly includeNew?: boolean | undefined
  /** Sends only to recipients whose delivery ended with this status before. */
  readonly retry?: 'failed' | 'uncertain' | undefined
  /** How many of all who get a letter, in order of sign-up, have been tried when the run ends. */
  readonly first?: ((letters: number) => number) | undefined
  /** Earlier announcements whose recipients are not left out. */
  readonly alsoWhoGot?: AlsoWhoGot | undefined
  /** Those who signed up, got a letter or answered since then are left out. */
  readonly silentSince?: Date | undefined
  /** How many friends each address referred: those with the most go first. */
  readonly referred?: ReadonlyMap<string, number> | undefined
  /** Whether a subscriber who may be mailed is left out, and why. */
  readonly leavesOut?: ((subscriber: ListedSubscriber) => LeftOut | undefined) | undefined
}

/** The part of a selection that decides who is left out, and who goes first. */
export type LeavingOut = Pick<
  RecipientSelection,
  'alsoWhoGot' | 'leavesOut' | 'silentSince' | 'referred'
>

/**
 * Those among whom the recipients of a run are that begins now: up to the cut-off where not all have their
 * row yet, since `includeNew` does not move it before.
 */
export const rangeOf = (announcement: Announcement | undefined): NumberRange =>
  announcement?.eligible === undefined ? { upTo: announcement?.upTo } : {}

/**
 * How many recipients may be tried for the first time.
 *
 * @param taken how many of the eligible were tried before, or left out.
 * @param passedOver how many of these left before their turn: others get the letter in their place.
 * @param letters how many of those not tried yet get a letter: a share is one of letters, not of rows.
 */
export function mayBeTaken(
  eligible: number,
  taken: number,
  passedOver: number,
  { retry, first }: RecipientSelection,
  letters = eligible - taken,
): number {
  if (retry) return 0
  const untried = Math.max(0, eligible - taken)
  if (!first) return untried
  const tried = taken - passedOver
  return Math.min(untried, Math.max(0, first(tried + letters) - tried))
}
