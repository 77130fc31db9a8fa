import type { RowProblem } from './problems.ts'
import words from './time-words.json' with { type: 'json' }
import { unwrapped } from './unwrapped.ts'
import { bare } from './without-accents.ts'

/** Options for times that are ambiguous. */
export interface TimeReading {
  /** The zone of times without one, such as `+02:00`; the default is UTC, as in most exports. */
  readonly utcOffset?: string
  /** The order in `03/04/2026`. Without it such a date is refused. */
  readonly dates?: 'day-first' | 'month-first'
}

const DAY_MS = 86_400_000
const LONGEST = 100
// The names of zones that are not in the data are refused: many are ambiguous.
const zone = words.zone.replace('{zones}', Object.keys(words.zones).join('|'))
/** The orders in which a date is written, after `inDigits`. */
const forms = Object.values(words.forms).map(
  (form) => new RegExp(`^${form.replace('{clock}', words.clock).replace('{zone}', zone)}$`, 'u'),
)

type Fields = Readonly<Record<string, string | undefined>>

const listed = (text: string) => bare(text).split(' ')
const months = words.months.map(listed)
const weekdays = listed(words.weekdays)
const beside = new Set(listed(words.beside))
const rewrites = words.rewrites.map(
  ([sign = '', by = '']) => [new RegExp(sign, 'giu'), by] as const,
)

/**
 * Reads a time as mailing services, databases and spreadsheets write it, in the languages of
 * `time-words.json`: ISO 8601 and its cousins, RFC 5322, `1/31/2026 2:05 PM`, `31.01.2026`,
 * `4. März 2026`, a number of seconds since 1970 or of a thousandth, a millionth and so on of them,
 * Excel's days, and what `unwrapped` knows.
 *
 * @returns the time, or why there is none.
 */
export function readTime(value: unknown, reading: TimeReading): Date | RowProblem {
  const plain = unwrapped(value)
  const text = typeof plain === 'number' ? String(plain) : plain
  if (typeof text !== 'string' || text.length > LONGEST) return notATime(value)
  return fromNumber(text.trim(), reading) ?? fromWords(text.trim(), reading) ?? notATime(value)
}

const notATime = (value: unknown): RowProblem => ({ code: 'not-a-time', value })

function fromNumber(text: string, { utcOffset }: TimeReading): Date | undefined {
  const [, whole = '', fraction = ''] = /^(\d+)(?:[.,](\d+))?$/.exec(text) ?? []
  const value = Number(`${whole}.${fraction}`)
  // Seconds, milliseconds, microseconds, nanoseconds.
  const unit = { 10: 1000, 13: 1, 16: 1e-3, 19: 1e-6 }[whole.length]
  if (unit !== undefined) return new Date(Math.round(value * unit))
  // Excel counts days from 1899-12-30, in local time.
  if (whole.length === 5)
    return new Date(Math.round((value - 25_569) * DAY_MS) - offsetMs(utcOffset))
  return undefined
}

function fromWords(text: string, reading: TimeReading): Date | RowProblem | undefined {
  // Most are in digits already.
  const found = fieldsOf(text) ?? fieldsOf(inDigits(text))
  if (found?.one === undefined) return found && atTime(found, reading)
  const { one, by, other } = found
  const order = orderOf(Number(one), by === '.', Number(other), reading)
  if (!order) return { code: 'day-or-month', text }
  const [day, month] = order === 'day-first' ? [one, other] : [other, one]
  return atTime({ ...found, day, month }, reading)
}

function fieldsOf(digits: string): Fields | undefined {
  for (const form of forms) {
    const found = form.exec(digits)?.groups
    if (found) return found
  }
  return undefined
}

/** @returns the text with months as `M3`, whatever the language, and without weekdays and the like. */
function inDigits(text: string): string {
  const ascii = bare(text).replace(/[٠-٩۰-۹]/g, (digit) => `${digit.charCodeAt(0) & 15}`)
  return rewrites
    .reduce((so, [sign, by]) => so.replace(sign, by), ascii)
    .replace(/\p{L}+/gu, inDigitsOfWord)
    .replace(/\s+/g, ' ')
    .replace(/^[ ,.]+|[ ,.:]+$/g, '')
}

function inDigitsOfWord(written: string): string {
  const word = written.toLowerCase()
  const month = word.length < 3 ? [] : months.filter((names) => startsOneOf(names, word))
  if (month[0] && month.length === 1) return `M${months.indexOf(month[0]) + 1}`
  const isWeekday = word.length > 1 && startsOneOf(weekdays, word)
  return isWeekday || beside.has(word) ? '' : written.toUpperCase()
}

const startsOneOf = (names: readonly string[], word: string) =>
  names.some((name) => name.startsWith(word))

function orderOf(one: number, hasDots: boolean, other: number, { dates }: TimeReading) {
  if (hasDots || one > 12) return 'day-first'
  if (other > 12) return 'month-first'
  return one === other ? 'day-first' : dates
}

function atTime(found: Fields, { utcOffset }: TimeReading): Date | undefined {
  const number = (name: string) => Number(found[name] ?? 0)
  const { year = '', fraction = '', half, zone } = found
  const full = year.length === 2 ? 2000 + Number(year) : Number(year)
  const [month, day, written] = [number('month'), number('day'), number('hour')]
  const hours = half ? (written % 12) + (half === 'P' ? 12 : 0) : written
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const utc = Date.UTC(full, month - 1, day, hours, number('minute'), number('second'), ms)
  const read = new Date(utc)
  // There is no 30 February, no 25 o'clock, and neither 0 nor 13 o'clock in the afternoon.
  const isReal = read.getUTCMonth() === month - 1 && read.getUTCDate() === day
  const isOnClock = !half || (written >= 1 && written <= 12)
  return isReal && isOnClock ? new Date(utc - offsetMs(zone ?? utcOffset)) : undefined
}

function offsetMs(zone = ''): number {
  const named = (words.zones as Readonly<Record<string, string>>)[zone] ?? zone
  const [, sign, hours, minutes] = /([+-])(\d{1,2}):?(\d{2})?/.exec(named) ?? []
  return (sign === '-' ? -60_000 : 60_000) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0))
}
