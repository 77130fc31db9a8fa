import type { FieldValue, Timestamp } from '@google-cloud/firestore'
import type { Asked } from '../outbox.ts'

/** The fields of a row that is due at once. @param at when somebody left the address. */
export function outboxRow(email: string, { shown, isCrowd }: Asked, at: Timestamp | FieldValue) {
  const due = { [isCrowd ? 'crowdDueAt' : 'dueAt']: at }
  return { email, askedAt: at, shown: JSON.stringify(shown), tries: 0, ...due }
}
