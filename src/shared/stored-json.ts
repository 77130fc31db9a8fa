/**
 * An object that was stored as JSON, as a text or parsed. @returns `undefined` for anything else.
 */
export function objectIn(json: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = typeof json === 'string' ? JSON.parse(json) : json
    if (typeof value !== 'object' || value === null) return undefined
    // An array has methods of names that a field may have.
    return Array.isArray(value) ? { ...value } : (value as Readonly<Record<string, unknown>>)
  } catch {
    return undefined
  }
}

/** Reads what was stored, which anybody may have written. @returns nothing for what cannot be read. */
export type Read<T> = (stored: unknown) => T | undefined

type Readers<T> = { readonly [name in keyof T]?: Read<NonNullable<T[name]>> }

/**
 * Reads an object by what reads its fields. One of `optional` that cannot be read is left out.
 *
 * @param isClosed whether no other field may be there.
 */
export function reader<T>(
  required: Readers<T>,
  optional: Readers<T> = {},
  isClosed = false,
): Read<T> {
  const fields = new Map<string, Read<unknown>>(Object.entries({ ...required, ...optional }))
  const needed = Object.keys(required)
  return (stored) => {
    const row = Array.isArray(stored) ? undefined : objectIn(stored)
    if (!row) return undefined
    const found: Record<string, unknown> = {}
    // A million people are read so: each field that is there, and no other, is looked at.
    for (const name in row) {
      const read = fields.get(name)
      if (!read && isClosed) return undefined
      const value = row[name] === undefined ? undefined : read?.(row[name])
      if (value !== undefined) found[name] = value
    }
    for (const name of needed) if (found[name] === undefined) return undefined
    return found as T
  }
}

export const only =
  <T>(is: (value: unknown) => value is T): Read<T> =>
  (stored) =>
    is(stored) ? stored : undefined

/** One of these. */
export const oneOf =
  <T>(all: readonly T[]): Read<T> =>
  (stored) =>
    all.find((one) => one === stored)

/** The first of a list, as many at most, without those that cannot be read. */
export const listOf =
  <T>(read: Read<T>, most = Number.POSITIVE_INFINITY): Read<T[]> =>
  (stored) =>
    Array.isArray(stored) ? stored.slice(0, most).flatMap((one) => read(one) ?? []) : undefined

/** Whether it is a time that a date can be, in milliseconds since 1970. */
export const isTime = (value: unknown): value is number => isCount(value) && value <= 8.64e15

export const isText = (value: unknown): value is string => typeof value === 'string'

/** Whether it is a whole number from 0 on. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

export const asText = only(isText)
export const asCount = only(isCount)
/** In milliseconds since 1970. */
export const asMoment = only(isTime)
export const asFlag = oneOf([true, false])
export const asTrue = oneOf([true as const])

/** An ISO text to the millisecond, in UTC, as the list keeps times. */
const FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** What is counted on from a later one, such as the end of a pause, would have another form. */
const LAST = Date.UTC(9990, 0)

/**
 * Reads a time that was stored or copied, where anybody may have written it.
 *
 * @returns `undefined` for what is no time, such as `2026-99-99T99:99:99.999Z` or the 30th of
 *   February, for a time before 1970, and for one after 9989.
 */
export function storedTime(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !FORM.test(value)) return undefined
  const time = new Date(value)
  // A day that its month does not have, or an hour beyond the last, counts on into the next.
  const isBetween = time.getTime() >= 0 && time.getTime() < LAST
  return isBetween && time.getUTCDate() === Number(value.slice(8, 10)) ? time : undefined
}
