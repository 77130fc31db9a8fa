import type { Lately } from '../../store/delivery-ledger.ts'
import type { SendEnd } from './send-end.ts'

/** Of how many of the last letters a share is. */
export const LATELY = { tried: 500, told: 2000 } as const

/** The share of those told that may unsubscribe or complain: Google's limit for complaints. */
const STOP_LEAVING = 0.003
/** With fewer failures than this, their share means nothing yet. */
const MIN_FAILURES = 6
/** A single one who leaves stops nothing. */
const MIN_LEAVING = 2

/** Whether too many of the last letters failed, or of the last people left. @param stopShare from 0 to 1 */
export function stopFor(
  { tried, failed, told, left }: Lately,
  stopShare: number,
): Extract<SendEnd['why'], 'failing' | 'leaving'> | undefined {
  if (failed >= MIN_FAILURES && failed / tried > stopShare) return 'failing'
  return left >= MIN_LEAVING && left / told > STOP_LEAVING ? 'leaving' : undefined
}
