import type { Pending } from '../store/pending.ts'

/** How long a letter holds. */
const HOLDS_MS = 14 * 86_400_000

/** When it was asked for last, or asked. */
export function lastAsked({ askedAt, lastLetterAt = askedAt }: Pending): Date {
  return lastLetterAt > askedAt ? lastLetterAt : askedAt
}

/** Until when what was asked holds. */
export function endsAt(pending: Pending): Date {
  return new Date(lastAsked(pending).getTime() + HOLDS_MS)
}

/** What was asked for before then has ended, whether its letter left or not. */
export function endOfRequests(now: Date): Date {
  return new Date(now.getTime() - HOLDS_MS)
}
