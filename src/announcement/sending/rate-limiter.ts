export interface RateLimiter {
  /** How many messages may be sent now. */
  ready(): number
  /** Milliseconds until the next message may be sent; infinite where none may in this run. */
  wait(): number
  spend(messages: number): void
  /** One that was counted did not leave. */
  refund(): void
}

/**
 * A token bucket: limits the messages a second, evenly spread.
 *
 * @param perSecond above 0. @param now a monotonic clock, in milliseconds.
 */
export function rateLimiter(perSecond: number, now = () => performance.now()): RateLimiter {
  // Space for a tenth of a second of messages, so that a caller who asks late still reaches the
  // rate.
  const capacity = 1 + perSecond / 10
  let tokens = 1
  let at = now()
  const refill = () => {
    tokens = Math.min(capacity, tokens + ((now() - at) / 1000) * perSecond)
    at = now()
  }
  return {
    ready() {
      refill()
      return Math.floor(tokens)
    },
    wait() {
      refill()
      return tokens >= 1 ? 0 : ((1 - tokens) / perSecond) * 1000
    },
    spend(messages) {
      refill()
      tokens -= messages
    },
    refund() {
      tokens += 1
    },
  }
}
