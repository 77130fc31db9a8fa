import { grouped } from './counted.ts'

/** Of people who were told, how many became users after it. */
export interface CameCount {
  readonly told: number
  readonly came: number
}

export interface CameGroup extends CameCount {
  /** Left out for those without one. */
  readonly name?: string
}

export interface WhoCame extends CameCount {
  /** How many of those told got a letter whose fate is not known. */
  readonly uncertain: number
  /** Users on the list who got no letter, or were users before it. */
  readonly others: number
  /** The median time from the letter to the account; `null` while nobody came. */
  readonly medianMs: number | null
  /** By the first letter that they got, in the order in which these began. */
  readonly letters: readonly CameGroup[]
  /** By where they came from to the list, the largest first. */
  readonly sources: readonly CameGroup[]
  /** By what they answered to the question of the page; none where nobody did. */
  readonly answers: readonly CameGroup[]
  /** By whether a friend brought them; none where nobody was brought. */
  readonly friends: readonly CameGroup[]
  /** By the Monday of the week in which they signed up, `2026-11-23` in this process's time zone. */
  readonly weeks: readonly CameGroup[]
}

/** Beside the number of those told: a letter's page counts these apart. */
export const uncertainInWords = (uncertain: number) => `${grouped(uncertain)} of them uncertain`

/** A share of fewer people says less than their number. */
const FEWEST_FOR_A_SHARE = 20

/** How many of a hundred came; `null` where their number says more. */
export function cameShare({ told, came }: CameCount): number | null {
  return told < FEWEST_FOR_A_SHARE ? null : (100 * came) / told
}
