import { grouped } from '../../shared/counted.ts'
import { localDay, localTime } from '../../shared/local-time.ts'
import { say, spokenLanguage } from '../../shared/say.ts'

/** No more letters than this in any time of this length, in milliseconds. */
export interface Rate {
  readonly letters: number
  readonly ms: number
}

const units = { s: 1000, h: 3_600_000, d: 86_400_000 } as const
const unitSentences = {
  s: '{letters} a second',
  h: '{letters} an hour',
  d: '{letters} a day',
} as const

/** The default: ten letters a second. */
export const USUAL_RATE: Rate = { letters: 10, ms: units.s }
/** More in an hour or a day would be too many times to remember. */
const MOST_IN_A_WINDOW = 1_000_000

export const RATE_RULE =
  'letters a second from 0.01 to 1000, such as 10, or an hour or a day, such as 2000/h or 400/d'

/** `10` or `10/s`, `2000/h`, `400/d`. @returns `undefined` for anything else */
export function parseRate(text: string): Rate | undefined {
  const [, number = '', unit = 's'] = /^(\d{1,9}(?:\.\d+)?)(?:\/([shd]))?$/.exec(text) ?? []
  const letters = Number(number)
  if (number === '') return undefined
  if (unit === 's') return letters >= 0.01 && letters <= 1000 ? { letters, ms: units.s } : undefined
  const isWhole = Number.isInteger(letters) && letters >= 1 && letters <= MOST_IN_A_WINDOW
  return isWhole ? { letters, ms: units[unit as 'h' | 'd'] } : undefined
}

const unitOf = ({ ms }: Rate) => (ms === units.d ? 'd' : ms === units.h ? 'h' : 's')

/** The one spelling of a rate as `parseRate` reads it: `10`, `2000/h`. */
export const rateText = (rate: Rate) =>
  isKept(rate) ? `${rate.letters}/${unitOf(rate)}` : String(rate.letters)

/** `2,000 an hour` */
export function rateInWords(rate: Rate): string {
  const letters = Number.isInteger(rate.letters) ? grouped(rate.letters) : rate.letters
  return say(unitSentences[unitOf(rate)], { letters })
}

/**
 * `2,000 an hour, done on Friday about 14:00`, by the clock of this process.
 *
 * @param letters how many are left.
 */
export function paceInWords(rate: Rate, letters: number, now: Date): string {
  const end = new Date(now.getTime() + (letters / rate.letters) * rate.ms)
  const time = localTime(end).slice(-5)
  const days = Math.round((Date.parse(localDay(end)) - Date.parse(localDay(now))) / units.d)
  const weekday = end.toLocaleDateString(spokenLanguage(), { weekday: 'long' })
  const day =
    days === 0
      ? ''
      : days < 7
        ? say('on {weekday} ', { weekday })
        : say('on {date} ', { date: localDay(end) })
  return say('{rate}, done {day}about {time}', { rate: rateInWords(rate), day, time })
}

export const perSecond = ({ letters, ms }: Rate) => (letters / ms) * 1000

/** Whether it is one of an hour or a day, which is kept over restarts. */
export const isKept = ({ ms }: Rate) => ms > units.s

/** How many of these times, which rise, are within the window that ends now. */
function within({ ms }: Rate, left: readonly number[], now: number): number {
  let [from, to] = [0, left.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((left[middle] as number) > now - ms) to = middle
    else from = middle + 1
  }
  return left.length - from
}

/** How many more letters may leave now. @param left when letters left, rising, none later than now */
export const allowedAt = (rate: Rate, left: readonly number[], now: number) =>
  Math.max(0, rate.letters - within(rate, left, now))

/** When the next letter may leave: now where one is allowed. */
export function freeAt(rate: Rate, left: readonly number[], now: number): number {
  return allowedAt(rate, left, now) > 0 ? now : (left[left.length - rate.letters] ?? now) + rate.ms
}

/**
 * How many letters of a steady rate are due since the last one left: what a run sends that ends with
 * what is due. Where none left in the window it is one, so that the list does not begin with a burst.
 */
export function dueAt(rate: Rate, left: readonly number[], now: number): number {
  const allowed = allowedAt(rate, left, now)
  const last = left.at(-1) ?? Number.NEGATIVE_INFINITY
  if (last <= now - rate.ms) return Math.min(1, allowed)
  return Math.min(allowed, Math.floor(((now - last) * rate.letters) / rate.ms))
}

/**
 * The time of the list at the begin of a run: never behind the newest time in its ledger, so that a
 * clock that is set back makes no letter older than it is. A run counts on from there by a clock that
 * nobody sets.
 *
 * @param wall the machine's clock.
 */
export const listTime = (newest: number | undefined, wall: number) =>
  Math.max(wall, newest ?? Number.NEGATIVE_INFINITY)
