import {
  type Announcement,
  deliveryStatuses,
  endedStatuses,
  type Tally,
} from '../store/delivery-ledger.ts'

/** Whether all recipients are accounted for. */
export interface Balance {
  /** Counted from the people. */
  readonly eligible: number
  /** From the ledger. */
  readonly rows: number
  readonly tally: Tally
  readonly holds: boolean
}

/**
 * Everybody who is eligible has one row, and a finished run leaves no row `sending`.
 *
 * @param counted the tally from the rows, where they were counted.
 */
export function balanceOf(
  { eligible = 0, tally }: Pick<Announcement, 'eligible' | 'tally'>,
  counted = tally,
): Balance {
  const rows = rowsOf(counted)
  const isProven = deliveryStatuses.every((status) => tally[status] === counted[status])
  return { eligible, rows, tally, holds: eligible === rows && isProven && tally.sending === 0 }
}

/** The number of rows of every status. */
export function rowsOf(tally: Tally): number {
  return deliveryStatuses.reduce((sum, status) => sum + tally[status], 0)
}

/** How many have ended, whether well or not. */
export const endedOf = (tally: Tally) =>
  endedStatuses.reduce((sum, status) => sum + tally[status], 0)
