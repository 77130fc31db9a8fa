/**
 * How a submit can end; each has one sentence in the specification's error catalogue. Every refusal
 * without an outcome of its own is `failed`, among them a 429 of the rate limit.
 */
export const outcomes = ['subscribed', 'invalid-email', 'database-unavailable', 'failed'] as const

export type Outcome = (typeof outcomes)[number]
