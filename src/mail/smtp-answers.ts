import table from './smtp-answers.json' with { type: 'json' }

/**
 * What the refusal of a mail server is about, where that is not the recipient or the letter:
 *
 * - `session`: this connection had as many letters as it may.
 * - `connections`: more are open than we may have.
 * - `quota`: what we may send in a day or an hour is used up.
 * - `rate`: we send faster than we may.
 * - `greylisting`: those who come back after a while are taken (RFC 6647).
 */
export type Says = 'session' | 'connections' | 'quota' | 'rate' | 'greylisting'

const rules = table.map(({ says, pattern, unless = '(?!)' }) => ({
  says: says as Says,
  pattern: new RegExp(pattern, 'is'),
  unless: new RegExp(unless, 'i'),
}))

/** Longer than any answer, and short enough for patterns. */
const LONGEST = 1000

/** @param answer with its code, as the server gave it. */
export function saysIn(answer: string): Says | undefined {
  const text = answer.slice(0, LONGEST)
  if (!/^[45]\d\d/.test(text)) return undefined
  return rules.find(({ pattern, unless }) => pattern.test(text) && !unless.test(text))?.says
}

const CLOCK = /\b(\d{1,2}):(\d\d):(\d\d)\b/
const STATED =
  /\b(?:in|for|after|within|wait|retry|delay)\b[^\d.]{0,12}(\d{1,6})[ -]?(s|m|h)(?:e[ck]\w{0,6}|in\w{0,5}|(?:ou)?rs?)?\b/i
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }
const DAY_MS = 86_400_000

/** How long an answer asks to wait, in milliseconds, a day at most; `undefined` if it does not say. */
export function waitIn(answer: string): number | undefined {
  const text = answer.slice(0, LONGEST)
  const [, hours = 0, minutes = 0, seconds = 0] = CLOCK.exec(text) ?? []
  const [, number = 0, unit = 's'] = STATED.exec(text) ?? []
  const onClock = 3600 * Number(hours) + 60 * Number(minutes) + Number(seconds)
  const ms = 1000 * (onClock || Number(number) * (SECONDS[unit.toLowerCase()] ?? 0))
  return Math.min(ms, DAY_MS) || undefined
}
