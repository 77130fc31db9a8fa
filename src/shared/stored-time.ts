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
