import type { FieldValue, Timestamp } from '@google-cloud/firestore'
import { placeInLine } from '../brake.ts'
import type { Asked } from '../outbox.ts'
import { cleanDetail } from '../standing.ts'

/**
 * One of these fields holds when a row is due, by its place in line. Firestore indexes each by
 * itself.
 */
export const dueFields = ['dueAt', 'crowdDueAt', 'lastDueAt'] as const

/** The field that holds when a row is due. */
export function dueFieldOf(row: { get(field: string): unknown }): (typeof dueFields)[number] {
  return dueFields.find((field) => row.get(field) !== undefined) ?? 'crowdDueAt'
}

/** The fields of a row that is due at once. @param at when the visitor left the address. */
export function outboxRow(email: string, asked: Asked, at: Timestamp | FieldValue) {
  const suspicion = cleanDetail(asked.suspicion)
  const due = { [dueFields[placeInLine(suspicion, asked.isCrowd)]]: at }
  const row = { email, askedAt: at, shown: JSON.stringify(asked.shown), tries: 0, ...due }
  const from = asked.source && { source: JSON.stringify(asked.source) }
  const { network, broughtBy } = asked
  return {
    ...row,
    ...(suspicion && { suspicion }),
    ...from,
    ...(network && { network }),
    ...(broughtBy && { broughtBy }),
  }
}
