/**
 * Sign-ups to a hundred visits. @returns `null` without a visit, or with more sign-ups than visits:
 * then visits were counted later, or visitors had opened the page before.
 */
export function shareOf(signUps: number, visits: number): number | null {
  return visits > 0 && signUps <= visits ? (100 * signUps) / visits : null
}
