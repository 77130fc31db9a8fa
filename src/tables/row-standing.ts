import type { ImportedStanding } from '../store/subscriber-list.ts'
import { readTime, type TimeReading } from './row-time.ts'
import words from './standing-words.json' with { type: 'json' }

/** The meaning of a status word: may be mailed, never confirmed, or a standing. */
export type Meaning = 'subscribed' | 'unconfirmed' | ImportedStanding

/** What a cell says: a yes, perhaps as a time; a no; nothing; or a word for how somebody stands. */
export interface Said {
  readonly says: 'yes' | 'no' | 'nothing' | Meaning
  readonly at?: Date
}

/** Text without accents, marks and what has no width, in the usual forms of letters and digits. */
export const bare = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replaceAll('ß', 'ss')

const known = new Map(
  Object.entries(words).flatMap(([says, lists]) =>
    Object.values(lists).flatMap((list) =>
      list.split(' ').map((word) => [spokenWord(word), says as Said['says']] as const),
    ),
  ),
)

/** Normalises a word or a name: services differ in hyphens, blanks, accents and capitals. */
export function plainWord(word: string): string {
  return spokenWord(word).replace(/[^\p{L}\p{N}]/gu, '')
}

/** The same with signs, such as a tick. */
function spokenWord(text: string): string {
  return bare(text)
    .toLowerCase()
    .replace(/[\s\p{Pd}_]/gu, '')
}

/** @returns `undefined` for a word that says nothing of how somebody stands. */
export function meaningOf(word: string): Meaning | undefined {
  const says = word.trim() === '' ? 'subscribed' : known.get(plainWord(word))
  return says === 'yes' || says === 'no' || says === 'nothing' ? undefined : says
}

const LONGEST = 100
const DAY_MS = 86_400_000
/** The last time of a calendar stands for "never". */
const NEVER = Date.UTC(9999, 0)

/** @returns nothing for a cell that can be read in no way, or in more than one. */
export function saidIn(cell: unknown, reading: TimeReading): Said | undefined {
  const text = bare(textOf(cell)).trim()
  if (text.length > LONGEST) return undefined
  const [, digit] = /^[-+]?([01])(?:[.,]0*)?$/.exec(text) ?? []
  if (digit) return { says: digit === '1' ? 'yes' : 'no' }
  // Zeros in place of a date, as of MySQL.
  if (/^(?:[0\s.,:/+\p{Pd}]+(?:T0[0:.+\p{Pd}]*)?Z?)?$/iu.test(text)) return { says: 'nothing' }
  const says = known.get(spokenWord(text)) ?? meaningOf(text)
  if (says) return { says }
  const time = readTime(cell, reading)
  if (!(time instanceof Date)) return time.code === 'day-or-month' ? { says: 'yes' } : undefined
  // The first day of 1970 is a zero that was taken for a time.
  const isTime = time.getTime() >= DAY_MS && time.getTime() < NEVER
  return isTime ? { says: 'yes', at: time } : { says: 'nothing' }
}

/** Whether a cell says something, and not that there is nothing. */
export function isFilled(cell: unknown): boolean {
  const said = saidIn(cell, {})?.says
  return said !== 'no' && said !== 'nothing'
}

/** The text of a cell; in JSON it may be of any type. */
export function textOf(cell: unknown): string {
  return typeof cell === 'string' ? cell : cell == null ? '' : JSON.stringify(cell)
}
