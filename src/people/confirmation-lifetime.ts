import type { PendingData } from './pending.ts'

/** How long a letter is valid. */
export const HOLDS_MS = 14 * 86_400_000

/** The time of the last letter, or of the request. */
export function lastAsked({ askedAt, lastLetterAt = askedAt }: PendingData): Date {
  return lastLetterAt > askedAt ? lastLetterAt : askedAt
}

/** Until when a request is valid. */
export function endsAt(pending: PendingData): Date {
  return new Date(lastAsked(pending).getTime() + HOLDS_MS)
}

/** Requests from before then have ended, whether their letter left or not. */
export function endOfRequests(now: Date): Date {
  return new Date(now.getTime() - HOLDS_MS)
}

/** It was confirmed some time ago, or it expired. */
export type PendingEnd = 'confirmed' | 'expired'

/** How a request ended that is over by a time. */
export function endOf(pending: PendingData, now: Date): PendingEnd | undefined {
  if (endsAt(pending) > now) return undefined
  return pending.confirmedAt ? 'confirmed' : 'expired'
}
