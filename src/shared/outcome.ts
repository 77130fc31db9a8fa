/**
 * How a submit can end; each has one sentence in the specification's error catalogue. Every refusal
 * without an outcome of its own is `failed`, among them a 429 of the rate limit.
 */
export type Outcome = 'subscribed' | 'invalid-email' | 'database-unavailable' | 'failed'
