import { milestone, milestonesIn, REACHED } from '../notices.ts'
import type { Sql } from './connection.ts'
import { listedIn } from './growth.ts'
import { isAnybodyTold, noteOnce } from './notice-rows.ts'

/** Whether the list has reached a milestone that is not noted. */
export function hasGrown(sql: Sql): boolean {
  const last = milestonesIn(listedIn(sql)).at(-1)
  return (
    last !== undefined &&
    sql('SELECT 1 FROM notices WHERE key = ?').get(`${REACHED}${last}`) === undefined
  )
}

/** Notes all milestones that the list has reached; in the transaction that adds to it, where anybody is told. */
export function noteMilestones(sql: Sql, now: Date): void {
  if (!hasGrown(sql)) return
  const size = listedIn(sql)
  for (const number of milestonesIn(size)) noteOnce(sql, milestone(number, size, now))
}

export function noteMilestonesIfTold(sql: Sql, now = new Date()): void {
  if (isAnybodyTold(sql)) noteMilestones(sql, now)
}
