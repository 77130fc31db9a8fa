import type { Extra } from '../shared/feature-rules.ts'

export type { Extra }

/** Enough for a row of any known service, and too little to fill a disk. */
const MOST_CHARACTERS = 10_000

/** What is added from outside ends before that, so that there is space for what their owner says here. */
export const MOST_MERGED = 8000

/** SQLite reads a thousand, and `JSON.stringify` ends the program's stack by some thousands. */
const MOST_LEVELS = 100

const isShallow = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((one) => isShallow(one, levels - 1)))

/** An object of JSON as a text, where it is within the limits. */
function textWithin(value: Extra, most: number): string | undefined {
  const json = isShallow(value, MOST_LEVELS) ? JSON.stringify(value) : undefined
  return json !== undefined && json.length <= most ? json : undefined
}

export const isExtra = (value: Extra, most: number): boolean =>
  textWithin(value, most) !== undefined

/** @returns the fields, if the value is an object within the limits; nothing for an empty one. */
export function parseExtra(value: unknown, most = MOST_CHARACTERS): Extra | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const json = textWithin(value as Extra, most)
  return json === undefined || json === '{}' ? undefined : (JSON.parse(json) as Extra)
}

/** @returns the fields of a text, as `parseExtra` does. */
export function extraFrom(json: unknown): Extra | undefined {
  if (typeof json !== 'string' || json.length > MOST_CHARACTERS) return undefined
  try {
    return parseExtra(JSON.parse(json))
  } catch {
    return undefined
  }
}

/** New values replace known ones, as long as there is space; one that is `undefined` removes its field. */
export function withFields(known: Extra | undefined, heard: Extra): Extra {
  return parseExtra({ ...known, ...heard }) ?? known ?? {}
}
