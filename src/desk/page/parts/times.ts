import { grouped } from '../../../shared/counted.ts'
import { wallTimeOf } from '../../../shared/zoned-time.ts'

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const weekdays = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ')

/** A time as a clock and a calendar of some zone show it. */
export interface LocalTime {
  /** `14:32` */
  readonly clock: string
  /** `7 Nov` */
  readonly day: string
  /** `Sat` */
  readonly weekday: string
  readonly year: number
}

/**
 * Written here and not by `Intl`, whose words differ between the server and a browser.
 *
 * @param zone an IANA name.
 */
export function localTime(at: number, zone: string): LocalTime {
  const shown = new Date(wallTimeOf(at, zone))
  return {
    clock: shown.toISOString().slice(11, 16),
    day: `${shown.getUTCDate()} ${months[shown.getUTCMonth()]}`,
    weekday: weekdays[shown.getUTCDay()] ?? '',
    year: shown.getUTCFullYear(),
  }
}

/** How long ago something was: `now`, `4 min`, `3 h`, `12 days`. */
export function age(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h`
  return `${grouped(Math.floor(hours / 24))} days`
}
