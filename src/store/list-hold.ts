import { objectIn, storedTime } from '../shared/stored-json.ts'

/** A list that came from a copy, until the operator says that it is right. */
export interface ListHold {
  /** Whether only we can have made the copy: then only what it does not know of may have left since. */
  readonly isBelieved: boolean
  readonly since: Date
}

/** @returns a hold also for what cannot be read, since it was written for a reason. */
export function holdFrom(stored: unknown): ListHold | undefined {
  if (stored === undefined) return undefined
  const { isBelieved, since } = objectIn(stored) ?? {}
  return { isBelieved: isBelieved === true, since: storedTime(since) ?? new Date(0) }
}
