import { grouped } from '../../../shared/counted.ts'
import { say } from '../../../shared/say.ts'
import { wallTimeOf } from '../../../shared/zoned-time.ts'

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'
const weekdays = 'Sun Mon Tue Wed Thu Fri Sat'

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
    day: say('{day} {month}', {
      day: shown.getUTCDate(),
      month: say(months).split(' ')[shown.getUTCMonth()] ?? '',
    }),
    weekday: say(weekdays).split(' ')[shown.getUTCDay()] ?? '',
    year: shown.getUTCFullYear(),
  }
}

/** How long ago something was: `now`, `4 min`, `3 h`, `12 days`; with `isAgo` `4 min ago`. */
export function age(at: number, now: number, isAgo = false): string {
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 1) return say('now')
  if (minutes < 60) return say(isAgo ? '{minutes} min ago' : '{minutes} min', { minutes })
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return say(isAgo ? '{hours} h ago' : '{hours} h', { hours })
  return say(isAgo ? '{days} days ago' : '{days} days', { days: grouped(Math.floor(hours / 24)) })
}
