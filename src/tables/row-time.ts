import type { RowProblem } from './problems.ts'

/** Options for times that are ambiguous. */
export interface TimeReading {
  /** The zone of times without one, such as `+02:00`; the default is UTC, as in most exports. */
  readonly utcOffset?: string
  /** The order in `03/04/2026`. Without it such a date is refused. */
  readonly dates?: 'day-first' | 'month-first'
}

type Parts = readonly [year: number, month: number, day: number, ...clock: number[]]

const DAY_MS = 86_400_000
const LONGEST = 100
const clock = String.raw`(?:,?(?:\s+at)?[T\s]+(\d{1,2}):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,3})\d*)?)?(?:\s*([AP])\.?M\.?)?)?`
// A zone name after an offset is ignored. A name alone is refused, since many names are ambiguous.
const zone = String.raw`\s*(Z|(?:UTC|GMT)?[+-](?:0\d|1[0-4]):?[0-5]\d(?:\s*\(?[A-Z ]{2,40}\)?)?|UTC|GMT)?`
const yearFirst = new RegExp(String.raw`^(\d{4})[-/](\d{1,2})[-/](\d{1,2})${clock}${zone}$`, 'i')
const yearLast = new RegExp(
  String.raw`^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})${clock}${zone}$`,
  'i',
)
const inWords = new RegExp(
  String.raw`^(?:[A-Z]{3,9},?\s+)?(?:([A-Z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?|(\d{1,2})\.?\s+([A-Z]{3,9})\.?),?\s+(\d{4})${clock}${zone}$`,
  'i',
)
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/**
 * Reads a time as mailing services and spreadsheets write it: ISO 8601 and its cousins, RFC 5322,
 * `1/31/2026 2:05 PM`, `31.01.2026`, seconds or milliseconds since 1970, and Excel's days.
 *
 * @returns the time, or why there is none.
 */
export function readTime(value: unknown, reading: TimeReading): Date | RowProblem {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text.length > LONGEST) return notATime(value)
  return fromNumber(text, reading) ?? fromWords(text.trim(), reading) ?? notATime(value)
}

const notATime = (value: unknown): RowProblem => ({ code: 'not-a-time', value })

function fromNumber(text: string, { utcOffset }: TimeReading): Date | undefined {
  const [, whole] = /^(\d+)(?:\.\d+)?$/.exec(text) ?? []
  if (whole?.length === 10) return new Date(Number(text) * 1000)
  if (whole?.length === 13) return new Date(Number(text))
  // Excel counts days from 1899-12-30, in local time.
  if (whole?.length === 5)
    return new Date(Math.round((Number(text) - 25_569) * DAY_MS) - offsetMs(utcOffset))
  return undefined
}

function fromWords(text: string, reading: TimeReading): Date | RowProblem | undefined {
  const first = yearFirst.exec(text)
  if (first) {
    const [, year, month, day, ...rest] = first
    return atTime([Number(year), Number(month), Number(day)], rest, reading)
  }
  const last = yearLast.exec(text)
  if (last) {
    const [, one, between, other, year = '', ...rest] = last
    const order = orderOf(Number(one), between === '.', Number(other), reading)
    if (!order) return { code: 'day-or-month', text }
    const full = year.length === 2 ? 2000 + Number(year) : Number(year)
    const [day, month] = order === 'day-first' ? [one, other] : [other, one]
    return atTime([full, Number(month), Number(day)], rest, reading)
  }
  const words = inWords.exec(text)
  if (words) {
    const [, before = '', after, day, name = before, year, ...rest] = words
    const month = months.indexOf(name.slice(0, 3).toLowerCase()) + 1
    return atTime([Number(year), month, Number(day ?? after)], rest, reading)
  }
  return undefined
}

function orderOf(one: number, hasDots: boolean, other: number, { dates }: TimeReading) {
  if (hasDots || one > 12) return 'day-first'
  if (other > 12) return 'month-first'
  return one === other ? 'day-first' : dates
}

/** @param rest hour, minute, second, fraction, A or P, and zone; each may be missing. */
function atTime(
  [year, month, day]: Parts,
  [hour, minute, second, fraction = '', half, zone]: readonly (string | undefined)[],
  { utcOffset }: TimeReading,
): Date | undefined {
  const written = Number(hour ?? 0)
  const hours = half ? (written % 12) + (half.toUpperCase() === 'P' ? 12 : 0) : written
  const ms = Number(fraction.padEnd(3, '0'))
  const utc = Date.UTC(year, month - 1, day, hours, Number(minute ?? 0), Number(second ?? 0), ms)
  const read = new Date(utc)
  // There is no 30 February, no 25 o'clock, and neither 0 nor 13 o'clock in the afternoon.
  const isReal = read.getUTCMonth() === month - 1 && read.getUTCDate() === day
  const isOnClock = !half || (written >= 1 && written <= 12)
  return isReal && isOnClock ? new Date(utc - offsetMs(zone ?? utcOffset)) : undefined
}

function offsetMs(zone: string | undefined): number {
  const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})/.exec(zone ?? '') ?? []
  return (sign === '-' ? -60_000 : 60_000) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}
