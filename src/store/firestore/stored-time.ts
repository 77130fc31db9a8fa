import { Timestamp } from '@google-cloud/firestore'
import { isCount } from '../stored-json.ts'

/** Times are from 1970 on, as those in a file are. */
export const EARLIEST = new Timestamp(0, 0)

/** Until here microseconds are whole numbers in JavaScript, and nobody signs up or leaves later. */
export const LATEST = Timestamp.fromDate(new Date('2200-01-01T00:00:00Z'))

/** Reads a time that anybody may have written. @returns `undefined` for none, as the year 9999. */
export function timestampIn(value: unknown): Timestamp | undefined {
  return value instanceof Timestamp && value >= EARLIEST && value < LATEST ? value : undefined
}

/** The same of something that happened in any case: without a time, long ago. */
export function timeIn(value: unknown): Date {
  return (timestampIn(value) ?? EARLIEST).toDate()
}

/** A whole number from 0 on; for anything else, 0. */
export function countIn(value: unknown): number {
  return isCount(value) ? value : 0
}
