import { isLiftedBySignUp, type StandingEntry } from './standing.ts'

/*
 * What is taken in later than what was said after it, or was timed by another clock: a document that a page
 * wrote into Firestore, or what waited in a copy. It is judged by its own time.
 */

/** Two clocks, Google's and ours, agree to within this. */
export const DOUBT_MS = 5000

/**
 * Whether a no is lifted by a yes of that time: only one that was said before. At equal times, and where
 * the clocks leave a doubt, the no stays: nobody who left comes back by it.
 */
export function isSaidBefore(no: Date, yes: Date): boolean {
  return no < beyondDoubt(yes)
}

/** A late yes lifts the noes before this, which were said before it by either clock. */
export const beyondDoubt = (at: Date): Date => new Date(Math.max(0, Number(at) - DOUBT_MS))

/** Until then, what is late may have been said before. */
export const endOfDoubt = (at: Date): Date => new Date(Number(at) + DOUBT_MS)

/** Whether the owner of a late request to confirm is asked: not if they said no since. */
export function mayBeAsked(at: Date, entry: StandingEntry | undefined): boolean {
  if (!entry || !isLiftedBySignUp(entry.standing)) return true
  return entry.standing === 'quarantined' || isSaidBefore(entry.at, at)
}
