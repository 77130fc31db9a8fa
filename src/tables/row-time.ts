import type { RowProblem } from './problems.ts'

/** Options for times that are ambiguous. */
export interface TimeReading {
  /** The zone of times without one, such as `+02:00`; the default is UTC, as in most exports. */
  readonly utcOffset?: string
  /** The order in `03/04/2026`. Without it such a date is refused. */
  readonly dates?: 'day-first' | 'month-first'
}

const DAY_MS = 86_400_000
const LONGEST = 100
const MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
const month = `(?<name>${MONTHS})[a-z]*\\.?`
const day = '(?<day>\\d{1,2})(?:st|nd|rd|th)?'
const weekday = '(?:(?:sun|mon|tue|wed|thu|fri|sat)[a-z]*,? )?'
const year = '(?<year>\\d{4}|\\d{2})'
const clock =
  '(?:(?:T|,?\\s+(?:at )?)(?<hour>\\d{1,2}):(?<minute>[0-5]\\d)(?::(?<second>[0-5]\\d)(?:[.,](?<fraction>\\d+))?)?(?:\\s*(?<half>[AP])M)?)?'
/** A name of a zone counts only beside its hours: many are ambiguous. */
const zone =
  '\\s*(?:(?<zone>(?:UTC|GMT)?[+-](?:0?\\d|1[0-4])(?::?[0-5]\\d)?|Z|UTC|GMT)(?: ?\\(.+\\)| [A-Z]{2,5})?)?'
/** The orders in which a date is written. */
const forms = [
  '(?<year>\\d{4})[-/.](?<month>\\d{1,2})[-/.](?<day>\\d{1,2})',
  `(?<one>\\d{1,2})(?<by>[./-])(?<other>\\d{1,2})\\k<by>${year}`,
  `${weekday}${day}[- ]${month}[-, ]+${year}`,
  `${weekday}${month} ${day},? ${year}`,
].map((date) => new RegExp(`^${date}${clock}${zone}$`, 'i'))

type Fields = Readonly<Record<string, string | undefined>>

/**
 * Reads a time as mailing services, databases and spreadsheets write it: ISO 8601 and its cousins, RFC
 * 5322, `1/31/2026 2:05 PM`, `31.01.2026`, `Jan 5, 2026`, a number of seconds since 1970 or of a
 * thousandth or a millionth of them, and Excel's days.
 *
 * @returns the time, or why there is none.
 */
export function readTime(value: unknown, reading: TimeReading): Date | RowProblem {
  const text = typeof value === 'number' ? String(value) : value
  const notATime: RowProblem = { code: 'not-a-time', value }
  if (typeof text !== 'string' || text.length > LONGEST) return notATime
  return fromNumber(text.trim(), reading) ?? fromWords(text.trim(), reading) ?? notATime
}

function fromNumber(text: string, { utcOffset }: TimeReading): Date | undefined {
  const [, whole = '', fraction = ''] = /^(\d+)(?:[.,](\d+))?$/.exec(text) ?? []
  const value = Number(`${whole}.${fraction}`)
  // Seconds, milliseconds, microseconds.
  const unit = { 10: 1000, 13: 1, 16: 1e-3 }[whole.length]
  if (unit !== undefined) return new Date(Math.round(value * unit))
  // Excel counts days from 1899-12-30, in local time.
  if (whole.length === 5)
    return new Date(Math.round((value - 25_569) * DAY_MS) - offsetMs(utcOffset))
  return undefined
}

function fromWords(text: string, reading: TimeReading): Date | RowProblem | undefined {
  const found = forms.map((form) => form.exec(text)?.groups).find(Boolean)
  if (found?.one === undefined) return found && atTime(found, reading)
  const { one, by, other } = found
  const order = orderOf(Number(one), by === '.', Number(other), reading)
  if (!order) return { code: 'day-or-month', text }
  const [day, month] = order === 'day-first' ? [one, other] : [other, one]
  return atTime({ ...found, day, month }, reading)
}

function orderOf(one: number, hasDots: boolean, other: number, { dates }: TimeReading) {
  if (hasDots || one > 12) return 'day-first'
  if (other > 12) return 'month-first'
  return one === other ? 'day-first' : dates
}

function atTime(found: Fields, { utcOffset }: TimeReading): Date | undefined {
  const number = (name: string) => Number(found[name] ?? 0)
  const { year = '', name, fraction = '', half, zone } = found
  const full = year.length === 2 ? 2000 + Number(year) : Number(year)
  const month = name ? MONTHS.split('|').indexOf(name.toLowerCase()) + 1 : number('month')
  const [day, written] = [number('day'), number('hour')]
  const hours = half ? (written % 12) + (/p/i.test(half) ? 12 : 0) : written
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const utc = Date.UTC(full, month - 1, day, hours, number('minute'), number('second'), ms)
  const read = new Date(utc)
  // There is no 30 February, no 25 o'clock, and neither 0 nor 13 o'clock in the afternoon.
  const isReal = read.getUTCMonth() === month - 1 && read.getUTCDate() === day
  const isOnClock = !half || (written >= 1 && written <= 12)
  return isReal && isOnClock ? new Date(utc - offsetMs(zone ?? utcOffset)) : undefined
}

function offsetMs(zone = ''): number {
  const [, sign, hours, minutes] = /([+-])(\d{1,2}):?(\d{2})?/.exec(zone) ?? []
  return (sign === '-' ? -60_000 : 60_000) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}
