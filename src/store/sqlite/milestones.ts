import { milestone, milestonesIn, REACHED } from '../notices.ts'
import type { Sql } from './connection.ts'
import { listedIn } from './growth.ts'
import { isAnybodyTold, noteOnce } from './queue-rows.ts'

/** The size of the list, where it has reached a milestone that is not noted. */
export function grownTo(sql: Sql): number | undefined {
  const size = listedIn(sql)
  const last = milestonesIn(size).at(-1)
  if (last === undefined) return undefined
  const noted = sql('SELECT 1 FROM notices WHERE key = ?').get(`${REACHED}${last}`)
  return noted ? undefined : size
}

/** Notes all milestones that the list has reached, in the transaction that adds to it. */
export function noteMilestones(sql: Sql, now: Date): void {
  const size = grownTo(sql)
  if (size === undefined) return
  for (const number of milestonesIn(size)) noteOnce(sql, milestone(number, size, now))
}

export function noteMilestonesIfTold(sql: Sql, now: Date): void {
  if (isAnybodyTold(sql)) noteMilestones(sql, now)
}
