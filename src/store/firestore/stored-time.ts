import { Timestamp } from '@google-cloud/firestore'

/** Stored times begin in 1970, as in a file of SQLite. */
export const EARLIEST = new Timestamp(0, 0)

/** Until here microseconds are whole numbers in JavaScript, and no real time is later. */
export const LATEST = Timestamp.fromDate(new Date('2200-01-01T00:00:00Z'))

/**
 * Reads a time that anybody may have written. @returns `undefined` for invalid ones, such as the
 * year 9999.
 */
export function timestampIn(value: unknown): Timestamp | undefined {
  return value instanceof Timestamp && value >= EARLIEST && value < LATEST ? value : undefined
}

/** Reads the time of something that did happen: an invalid time becomes 1970. */
export function timeIn(value: unknown): Date {
  return (timestampIn(value) ?? EARLIEST).toDate()
}
