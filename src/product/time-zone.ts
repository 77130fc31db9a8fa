import { isTimeZone, ownZone } from '../shared/time-zone.ts'
import { environment } from './environment.ts'

/**
 * Makes the product's `zone` the one of this process and of those that it starts, so that terminal,
 * desk and notices tell time by one clock. Without it, that is the machine's, or UTC.
 *
 * @param zone as `product.config.ts` has it, not checked.
 */
export function keepTimeIn(zone: string | undefined): void {
  const kept = zone !== undefined && isTimeZone(zone) ? zone : ownZone()
  if (environment.TZ !== kept) environment.TZ = kept
}
