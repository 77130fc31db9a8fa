export type RateLimiter = ReturnType<typeof rateLimiter>

/**
 * A token bucket: limits the messages a second, evenly spread.
 *
 * @param perSecond above 0. @param now a monotonic clock, in milliseconds.
 */
export function rateLimiter(perSecond: number, now = () => performance.now()) {
  // Room for a tenth of a second of messages, so that a caller who asks late still reaches the
  // rate.
  const capacity = 1 + perSecond / 10
  let tokens = 1
  let at = now()
  const refill = () => {
    tokens = Math.min(capacity, tokens + ((now() - at) / 1000) * perSecond)
    at = now()
  }
  return {
    /** How many messages may be sent now. */
    ready() {
      refill()
      return Math.floor(tokens)
    },
    /** Milliseconds until the next message may be sent. */
    wait() {
      refill()
      return tokens >= 1 ? 0 : ((1 - tokens) / perSecond) * 1000
    },
    spend(messages: number) {
      refill()
      tokens -= messages
    },
  }
}
