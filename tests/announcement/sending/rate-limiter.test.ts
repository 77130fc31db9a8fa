import { describe, expect, it } from 'vitest'
import { rateLimiter } from '../../../src/announcement/sending/rate-limiter.ts'

/** How many go in so many seconds, by a clock of its own, whenever one may. */
function sentIn(seconds: number, perSecond: number, stepMs: number) {
  let now = 0
  const limiter = rateLimiter(perSecond, () => now)
  let sent = 0
  for (; now < seconds * 1000; now += stepMs) {
    const ready = limiter.ready()
    limiter.spend(ready)
    sent += ready
  }
  return sent
}

describe('the rate limiter', () => {
  it('is kept, whether it is looked at often or seldom', () => {
    expect(sentIn(60, 10, 1)).toBeCloseTo(600, -1)
    expect(sentIn(60, 10, 90)).toBeCloseTo(600, -1)
    expect(sentIn(60, 500, 7)).toBeCloseTo(30_000, -3)
    expect(sentIn(60, 0.5, 100)).toBeCloseTo(30, -1)
  })

  it('lets no pile go after a long wait', () => {
    let now = 0
    const limiter = rateLimiter(100, () => now)
    now = 3_600_000
    expect(limiter.ready()).toBe(11)
  })

  it('says how long to wait for the next one', () => {
    let now = 0
    const limiter = rateLimiter(4, () => now)
    limiter.spend(limiter.ready())
    expect(limiter.wait()).toBe(250)
    now += 250
    expect(limiter.wait()).toBe(0)
    expect(limiter.ready()).toBe(1)
    limiter.spend(1)
    now += 100
    expect(limiter.wait()).toBe(150)
    now += 3_600_000
    expect(limiter.wait()).toBe(0)
  })

  it('counts what goes after a long wait from then on', () => {
    let now = 0
    const limiter = rateLimiter(10, () => now)
    now = 3_600_000
    limiter.spend(1)
    expect(limiter.ready()).toBe(1)
  })
})
