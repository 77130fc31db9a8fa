import { describe, expect, it } from 'vitest'
import { wavesLeft } from '../../../../src/desk/server/letters/waves-left.ts'
import type { KeptWaves } from '../../../../src/store/waves.ts'

const MINUTE_MS = 60_000
const now = Date.parse('2026-11-22T12:00:00Z')

/** The second of three waves, in the middle of it. */
const second: KeptWaves = {
  waves: '1%,10%,100%',
  everyMs: 60 * MINUTE_MS,
  number: 2,
  target: 10,
  size: 9,
  begunAt: new Date(now - 60 * MINUTE_MS),
  isLast: false,
  before: { tried: 1, told: 1, failed: 0, left: 0 },
}

function leftOf(waves: KeptWaves | undefined) {
  const begunAt = new Date(now)
  const letter = { id: 'launch', subject: 'We are live', digest: 'd', begunAt }
  return wavesLeft({ ...letter, cutOff: new Date(now), eligible: 100, waves }, now)
}

describe('what is left of the waves', () => {
  it('is waited for until the next one is due, and a while longer', () => {
    for (const minutes of [-30, 9]) {
      const nextAt = new Date(now - minutes * MINUTE_MS)
      const left = leftOf({ ...second, endedAt: new Date(now - 50 * MINUTE_MS), nextAt })
      expect(left).toMatchObject({ isBetween: true })
      expect(left?.words).toMatch(/^The next wave is due 2026-11-22 /)
    }
  })

  it('has stopped where the next one is overdue, or one was cut off', () => {
    const nextAt = new Date(now - 11 * MINUTE_MS)
    const overdue = leftOf({ ...second, endedAt: new Date(now - 50 * MINUTE_MS), nextAt })
    expect(overdue).toMatchObject({ isBetween: false })
    expect(overdue?.words).toMatch(/^The next wave was due 2026-11-22 .*, and has not begun\. /)
    const cutOff = { isBetween: false, words: expect.stringMatching(/^Wave 2 is not finished\. /) }
    expect(leftOf(second)).toMatchObject(cutOff)
  })

  it('has stopped where the waves stopped by themselves, and says why', () => {
    const nextAt = new Date(now + 30 * MINUTE_MS)
    const between = { ...second, endedAt: new Date(now - 50 * MINUTE_MS), nextAt }
    for (const [stopped, why] of [
      ['failing', 'too many letters failed or bounced'],
      ['leaving', 'too many people unsubscribed or complained'],
      ['unready', 'the check before the next wave found problems'],
      ['mail', 'the mail server took no letters'],
    ] as const) {
      const left = leftOf({ ...between, stopped })
      expect(left).toMatchObject({ isBetween: false })
      expect(left?.words).toMatch(new RegExp(`^Stopped at wave 2: ${why}\\. To go on, `))
    }
  })

  it('is nothing after the last one, and without waves', () => {
    expect(leftOf({ ...second, isLast: true, endedAt: new Date(now) })).toBe(undefined)
    expect(leftOf(undefined)).toBe(undefined)
  })
})
