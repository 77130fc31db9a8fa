import { describe, expect, it } from 'vitest'
import { backOff, waitAfter, webhooks } from '../../src/queue/retry-policy.ts'

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]

describe('the wait after a failed try', () => {
  it('is as Standard Webhooks has it, a little longer by chance, and the last one again and again', () => {
    expect(webhooks.waits.map((wait) => wait / SECOND)).toEqual([
      5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ])
    for (const [i, wait] of webhooks.waits.entries()) {
      expect(waitAfter(i + 1, webhooks, 0, () => 0)).toBe(wait)
      expect(waitAfter(i + 1, webhooks, 0, () => 1)).toBeLessThanOrEqual(wait * 1.1 + 1)
    }
    expect(waitAfter(99, webhooks)).toBe(24 * HOUR)
  })

  it('is what the receiver asks for, and no longer than the longest', () => {
    expect(waitAfter(1, webhooks, 10 * MINUTE, () => 0)).toBe(10 * MINUTE)
    expect(waitAfter(3, webhooks, 10 * MINUTE, () => 0)).toBe(30 * MINUTE)
    expect(waitAfter(1, webhooks, 365 * 24 * HOUR)).toBe(24 * HOUR)
    expect(waitAfter(1, backOff(1, 60), 99)).toBe(60)
  })

  it('grows by its factor, up to the longest', () => {
    const all = (policy: ReturnType<typeof backOff>) =>
      [1, 2, 3, 4, 5, 9].map((tries) => waitAfter(tries, policy))
    expect(all(backOff(5, 60))).toEqual([5, 10, 20, 40, 60, 60])
    expect(all(backOff(1, 20, 4))).toEqual([1, 4, 16, 20, 20, 20])
    expect(all(backOff(60, 1))).toEqual([1, 1, 1, 1, 1, 1])
  })
})
