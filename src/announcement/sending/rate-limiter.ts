/** Keeps to a number of messages a second, evenly. */
export interface RateLimiter {
  /** How many may go now. */
  ready(): number
  /** Milliseconds until one may go. */
  wait(): number
  spend(messages: number): void
}

/** @param perSecond above 0. @param now milliseconds that never go back. */
export function rateLimiter(perSecond: number, now = () => performance.now()): RateLimiter {
  // A tenth of a second can be caught up, so that who looks a moment late is not slower for it.
  const most = 1 + perSecond / 10
  let saved = 1
  let at = now()
  const refill = () => {
    saved = Math.min(most, saved + ((now() - at) / 1000) * perSecond)
    at = now()
  }
  return {
    ready() {
      refill()
      return Math.floor(saved)
    },
    wait() {
      refill()
      return saved >= 1 ? 0 : ((1 - saved) / perSecond) * 1000
    },
    spend(messages) {
      refill()
      saved -= messages
    },
  }
}
