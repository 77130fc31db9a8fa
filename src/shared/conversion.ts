/**
 * How many of a hundred visits ended in a sign-up. @returns `null` without a visit, and where there are
 * more sign-ups than that: visits were counted later, or who signs up had opened the page before.
 */
export function shareOf(signUps: number, visits: number): number | null {
  return visits > 0 && signUps <= visits ? (100 * signUps) / visits : null
}
