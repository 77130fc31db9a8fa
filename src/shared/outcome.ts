/** How a submit can end; each has one sentence in the specification's error catalogue. */
export type Outcome = 'subscribed' | 'invalid-email' | 'database-unavailable' | 'failed'
