import type { Consent, Pending } from '../store/pending.ts'

/** The receipt of a confirmation: what the visitor saw, what they were sent, when they said yes. */
export function receiptOf(pending: Pending): Consent {
  const { shown, askedAt, listedAt, messageId = '', letterDigest = '' } = pending
  const { confirmedAt, how, confirmedFrom } = pending
  if (!confirmedAt || !how) throw new Error('This is not confirmed.')
  return {
    ...shown,
    askedAt: askedAt.toISOString(),
    ...(listedAt && { listedAt: listedAt.toISOString() }),
    messageId,
    letterDigest,
    confirmedAt: confirmedAt.toISOString(),
    how,
    ...(confirmedFrom && { confirmedFrom }),
  }
}
