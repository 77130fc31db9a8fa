import { storedTime } from '../shared/stored-time.ts'
import type { Extra } from './extra.ts'

/** When somebody on the list became a user of the product, kept among their `Extra`. */
export function cameIn(extra: Extra | undefined): Date | undefined {
  return storedTime(extra?.came)
}

/** The field that `cameIn` reads. */
export function cameAt(at: Date): Extra {
  return { came: at.toISOString() }
}
