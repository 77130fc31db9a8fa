import { useEffect, useState } from 'react'
import { grouped } from '../../shared/counted.ts'

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
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(new Date(at)))
    parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
  const two = (part: number) => String(part).padStart(2, '0')
  return {
    clock: `${two(hour % 24)}:${two(minute)}`,
    day: `${day} ${months[month - 1]}`,
    weekday: weekdays[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? '',
    year,
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}

/** The viewer's zone, once the script runs; until then, and without script, the server's. */
export function useZone(server: string): string {
  const [zone, setZone] = useState(server)
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone || server), [server])
  return zone
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

/** When something is, seen from now: `in 3 h`, `4 min ago`, `just now`. */
export function fromNow(at: number, now: number): string {
  const [early, late] = at > now ? [now, at] : [at, now]
  const span = age(early, late)
  if (span === 'now') return at > now ? 'in less than a minute' : 'just now'
  return at > now ? `in ${span}` : `${span} ago`
}
