/**
 * What a file said of an address that this version has no name for, kept as it was: it survives
 * import, export, backup and restore, and goes when the address is forgotten.
 */
export type Extra = Readonly<Record<string, unknown>>

/** Enough for a row of any list that we know, too little to fill a disk with. */
const MOST_CHARACTERS = 8000

/** @returns the fields, if it is an object that may be kept; an empty one is none. */
export function parseExtra(value: unknown): Extra | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const json = JSON.stringify(value)
  if (json === '{}' || json.length > MOST_CHARACTERS) return undefined
  return JSON.parse(json) as Extra
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

/** What is known stays; of what is new as much is taken as has room. */
export function mergeExtra(known: Extra | undefined, heard: Extra | undefined): Extra | undefined {
  return parseExtra({ ...heard, ...known }) ?? known ?? heard
}
