import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { asAgreed, dueAt } from '../../../src/announcement/waves/agreed.ts'
import {
  type Breach,
  breachOf,
  countsOf,
  figuresOf,
  watchOver,
} from '../../../src/announcement/waves/breach.ts'
import type { KeptWaves, WaveCounts } from '../../../src/store/waves.ts'

const HOUR_MS = 3_600_000
const begunAt = new Date('2026-11-22T12:00:00Z')
const nothing = { tried: 0, told: 0, failed: 0, left: 0, erased: 0 }
const limits = { stopShare: 0.05, stopLeaving: 0.003 }

/** A wave to 1,000 that is under way. */
const wave: KeptWaves = {
  waves: '50%,100%',
  everyMs: HOUR_MS,
  number: 1,
  target: 1000,
  size: 1000,
  begunAt,
  before: nothing,
  isLast: false,
}
const ended = { ...wave, endedAt: begunAt, nextAt: new Date(begunAt.getTime() + HOUR_MS) }

function whyOf(kept: KeptWaves, now: Partial<WaveCounts>, more = {}) {
  return breachOf(kept, { ...nothing, ...now }, { ...limits, ...more })?.why
}

describe('a wave', () => {
  it.each([
    ['goes on with as many failed as may', wave, { tried: 1000, failed: 50 }, undefined],
    ['stops with one more', wave, { tried: 1000, failed: 51 }, 'failing'],
    ['goes on with as many left as may', wave, { told: 1000, left: 3 }, undefined],
    ['stops with one more who left', wave, { told: 1000, left: 4 }, 'leaving'],
    [
      'under way is judged by all it is to reach',
      wave,
      { tried: 20, told: 10, failed: 10, left: 3 },
      undefined,
    ],
    [
      'that ended is judged by those who were tried',
      ended,
      { tried: 20, told: 18, failed: 2 },
      'failing',
    ],
    [
      'that ended is judged by those who were told',
      ended,
      { tried: 20, told: 20, left: 1 },
      'leaving',
    ],
    [
      'counts those erased among the failed',
      wave,
      { tried: 1000, failed: 50, erased: 1 },
      'failing',
    ],
  ] as const)('%s', (_, kept, now, why) => {
    expect(whyOf(kept, now)).toBe(why)
  })

  it.each([wave, ended])('has its figures of as many people as what stops it', (kept) => {
    for (const [why, now] of [
      ['failed', { ...nothing, tried: 20, told: 10, failed: 10 }],
      ['left', { ...nothing, tried: 20, told: 20, left: 10 }],
    ] as const) {
      const breach = breachOf(kept, now, { stopShare: 0.001, stopLeaving: 0.001 })
      expect(figuresOf(kept, now)).toMatchObject({ [why]: 10, of: { [why]: breach?.of } })
    }
  })

  it('is judged by what came since it began', () => {
    const before = { tried: 1000, told: 900, failed: 100, left: 50, erased: 5 }
    expect(whyOf({ ...ended, before }, { ...before, tried: 1100, told: 1000 })).toBeUndefined()
    expect(whyOf({ ...ended, before }, { ...before, tried: 1100, failed: 106 })).toBe('failing')
  })

  it('that nobody was told yet goes on where nobody may fail, and stops with the first', () => {
    const none = { stopShare: 0, stopLeaving: 0 }
    expect(whyOf(wave, {}, none)).toBeUndefined()
    expect(whyOf(ended, { failed: 1 }, none)).toBe('failing')
  })

  it('has tried those who were sent it or failed, and those whose turn comes again', () => {
    const tally = {
      sent: 1,
      uncertain: 2,
      failed: 4,
      sending: 8,
      queued: 48,
      untried: 32,
      suppressed: 1000,
      forgotten: 2000,
    }
    const departed = { unsubscribed: 100, complained: 200, bounced: 400, erased: 3000 }
    expect(countsOf(tally, departed)).toEqual({
      tried: 31 + 3000,
      told: 3 + 3000,
      failed: 404,
      left: 300,
      erased: 3000,
    })
  })
})

it('passes over only the wave that the operator looked at', () => {
  const now = new Date(begunAt.getTime() + HOUR_MS)
  const counts = { ...nothing, tried: 900, told: 900, left: 9 }
  const after = (seenAt: Date) => {
    const announcement = {
      id: 'launch',
      subject: '',
      digest: '',
      begunAt,
      cutOff: begunAt,
      eligible: 2000,
    }
    const forgiven = { wave: { ...ended, begunAt: seenAt }, counts }
    const plan = { shares: [0.5, 1] }
    const at = { tried: 0, now }
    return asAgreed({ ...announcement, waves: ended }, plan, HOUR_MS, forgiven, at)?.before
  }
  expect(after(begunAt)).toEqual({ ...counts, tried: 0, told: 0 })
  expect(after(new Date(begunAt.getTime() - 1))).toEqual(nothing)
})

it('stops a wave while it is sent, goes on while the store is away, and looks no more after its end', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const breach: Breach = { why: 'leaving', wave: 1, people: 4, erased: 0, of: 1000, limit: 0.003 }
  const looks = [() => Promise.reject(new Error('away')), async () => undefined, async () => breach]
  const watch = watchOver({ kept: wave } as never, () => looks.shift()?.() ?? Promise.reject())
  await vi.advanceTimersByTimeAsync(60_000)
  expect(watch.signal.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(watch.signal.aborted).toBe(true)
  watch.end()
  expect(vi.getTimerCount()).toBe(0)
})

it('lets newcomers wait after the last wave where waves are a number at a time, and else tells them at once', () => {
  const nextAt = new Date(begunAt.getTime() + HOUR_MS)
  const over = { ...ended, isLast: true, nextAt }
  expect(dueAt(over, { size: 5 }, true)).toEqual(nextAt)
  expect(dueAt(over, { size: 5 }, false)).toBeUndefined()
  expect(dueAt(over, { shares: [1] }, true)).toBeUndefined()
  expect(dueAt({ ...over, isLast: false }, { shares: [1] }, false)).toEqual(nextAt)
})
