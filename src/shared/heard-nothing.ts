import { counted } from './counted.ts'
import { say } from './say.ts'

/** People who may be written to, and have neither signed up nor got a letter for `SILENT_DAYS`. */
export interface HeardNothing {
  readonly people: number
  /** When the first of them signed up or got a letter last, in ISO 8601; `null` where there is nobody. */
  readonly since: string | null
}

/** After so long a silence many do not know any more who writes to them. */
const SILENT_DAYS = 60

const DAY_MS = 86_400_000

/** Who has heard something since then is not silent yet. */
export function silentBefore(now: Date): Date {
  return new Date(now.getTime() - SILENT_DAYS * DAY_MS)
}

/**
 * `For 412 people, the last sign-up or letter from here was 60 days ago or longer`: somebody who was just
 * imported may have heard from another tool, of which nothing is known here.
 */
export const silenceInWords = (people: number): string =>
  say('For {people}, the last sign-up or letter from here was {days} days ago or longer', {
    people: counted(people, 'person', 'people'),
    days: SILENT_DAYS,
  })
