import { storedTime } from '../shared/stored-time.ts'
import { type Extra, withFields } from './extra.ts'

/** When somebody on the list last answered that they still want to be told, kept among their `Extra`. */
export function stillInterestedIn(extra: Extra | undefined): Date | undefined {
  return storedTime(extra?.stillInterested)
}

/** The fields with a later answer in them; as they were where there is no room for it. */
export function withStillInterested(extra: Extra | undefined, at: Date): Extra {
  return withFields(extra, { stillInterested: at.toISOString() })
}
