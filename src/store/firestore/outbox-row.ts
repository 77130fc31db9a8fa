import type { FieldValue, Timestamp } from '@google-cloud/firestore'
import type { Asked } from '../outbox.ts'
import { cleanDetail } from '../standing.ts'

/** The fields of a row that is due at once. @param at when somebody left the address. */
export function outboxRow(email: string, asked: Asked, at: Timestamp | FieldValue) {
  const suspicion = cleanDetail(asked.suspicion)
  const due = { [asked.isCrowd || suspicion ? 'crowdDueAt' : 'dueAt']: at }
  const row = { email, askedAt: at, shown: JSON.stringify(asked.shown), tries: 0, ...due }
  const from = asked.source && { source: JSON.stringify(asked.source) }
  const { network } = asked
  return { ...row, ...(suspicion && { suspicion }), ...from, ...(network && { network }) }
}
