/* The signs of a robot that somebody came with, by name. */

/** The names of the signs in a suspicion. */
export function signsIn(suspicion: string | undefined): string[] {
  return (suspicion ?? '').split(',').flatMap((sign) => sign.trim() || [])
}

export const hasHiddenField = (suspicion: string | undefined): boolean =>
  signsIn(suspicion).includes('hidden-field')

/**
 * The place in line: 0 comes first, then 1, a crowd, then 2, programs that filled the hidden field.
 */
export function placeInLine(suspicion: string | undefined, isCrowd: boolean): Line {
  if (suspicion === undefined) return isCrowd ? 1 : 0
  return hasHiddenField(suspicion) ? 2 : 1
}

/** The place in line: 0 comes first. */
export type Line = 0 | 1 | 2
