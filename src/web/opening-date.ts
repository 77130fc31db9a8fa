/**
 * A time in the words of the countdown.
 *
 * @param at in ISO 8601. @param locale of the words. @param timeZone the reader's own, if not given.
 */
export function openingDate(at: string, locale: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(new Date(at))
}
