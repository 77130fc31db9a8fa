import {
  type Announcement,
  deliveryStatuses,
  endedStatuses,
  type Tally,
} from '../store/delivery-ledger.ts'

/** Whether all recipients are accounted for. */
export interface Balance {
  /** Counted from the subscribers. */
  readonly eligible: number
  /** Counted from the ledger. */
  readonly rows: number
  readonly tally: Tally
  readonly holds: boolean
}

/** Every eligible subscriber has one row, and a finished run leaves no row `sending`. */
export function balanceOf({ eligible = 0 }: Announcement, tally: Tally): Balance {
  const rows = rowsOf(tally)
  return { eligible, rows, tally, holds: eligible === rows && tally.sending === 0 }
}

/** The number of rows of every status. */
export function rowsOf(tally: Tally): number {
  return deliveryStatuses.reduce((sum, status) => sum + tally[status], 0)
}

/** How many have ended, whether well or not. */
export const endedOf = (tally: Tally) =>
  endedStatuses.reduce((sum, status) => sum + tally[status], 0)
