import words from './time-words.json' with { type: 'json' }

const within = words.within.split(' ')
const known = new Set([...within, ...words.besideWithin.split(' ')])

/** Characters of such an object. */
const LONGEST = 100

/**
 * The value within an object with which a database writes one value as JSON, also in a cell of CSV: `{"$date": …}` of
 * MongoDB, `{"_seconds": …}` of Firestore. Everything else stays as it is.
 */
export function unwrapped(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('{') && value.length < LONGEST)
    return unwrappedJson(value)
  if (typeof value !== 'object' || value === null) return value
  const fields = value as Readonly<Record<string, unknown>>
  const key = within.find((one) => Object.hasOwn(fields, one))
  if (key === undefined || !Object.keys(fields).every((one) => known.has(one))) return value
  const inner = unwrapped(fields[key])
  const nanos = Number(fields._nanoseconds ?? fields.nanoseconds ?? fields.nanos ?? 0)
  return typeof inner === 'number' && nanos > 0 ? inner + nanos / 1e9 : inner
}

function unwrappedJson(text: string): unknown {
  try {
    const value = unwrapped(JSON.parse(text))
    return typeof value === 'object' ? text : value
  } catch {
    return text
  }
}
