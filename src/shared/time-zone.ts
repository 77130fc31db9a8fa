/**
 * Whether a name is that of a time zone with its own daylight saving, such as `Europe/Berlin`, or
 * `UTC`. Abbreviations are refused: `CST` is three zones, and `EST` has no summer time.
 */
export function isTimeZone(name: string): boolean {
  if (name !== 'UTC' && !/^[A-Za-z]\w+(\/[\w+-]+){1,2}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/**
 * The zone of this process or browser, and UTC where it has no name: `TZ` may be set and empty, as a
 * container's `${TZ:-}` makes it.
 */
export function ownZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return isTimeZone(timeZone) ? timeZone : 'UTC'
}
