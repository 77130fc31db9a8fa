import { describe, expect, it } from 'vitest'
import { isPlanOf } from '../../../src/announcement/waves/agreed.ts'
import { planAhead } from '../../../src/announcement/waves/plan-ahead.ts'
import {
  everyInWords,
  nextWave,
  nextWaveAt,
  parseEvery,
  parseWaves,
  type WavePlan,
  wavesInWords,
} from '../../../src/announcement/waves/wave-plan.ts'

const HOUR = 3_600_000

describe('a plan of waves', () => {
  it('is another one with other waves, or with another time between them', () => {
    const kept = { waves: '1%,100%', everyMs: HOUR } as never
    const isKept = (waves: string, every: number) =>
      isPlanOf(kept, parseWaves(waves) as WavePlan, every)
    expect(isKept('1%,100%', HOUR)).toBe(true)
    expect(isKept('1%,100%', 2 * HOUR)).toBe(false)
    expect(isKept('2%,100%', HOUR)).toBe(false)
  })

  it.for(['1%,10%,50%,100%', '0.5%,100%', '100%', '500', '1'])(
    'reads %s, and writes it so',
    (text) => {
      const plan = parseWaves(text)
      expect(plan && wavesInWords(plan)).toBe(text)
    },
  )

  it('writes what means the same in one way', () => {
    expect(wavesInWords(parseWaves(' 1.0% , 100%') ?? { size: 0 })).toBe('1%,100%')
  })

  it.for([
    ...['', '0', '-5', '1.5', '1e3', '50,500', '10%', '1%,10%', '10%,10%,100%', '50%,10%,100%'],
    ...['0%,100%', '50%,101%', '100%,100%', '1%,,100%', '1,100%', 'all', '9999999999'],
  ])('refuses "%s"', (text) => {
    expect(parseWaves(text)).toBeUndefined()
  })

  it.for([
    ['90m', 1.5 * HOUR, '90m'],
    ['2h', 2 * HOUR, '2h'],
    ['24h', 24 * HOUR, '1d'],
    ['1d', 24 * HOUR, '1d'],
    ['5s', 5000, '5s'],
  ] as const)('comes every %s', ([text, ms, words]) => {
    expect(parseEvery(text)).toBe(ms)
    expect(everyInWords(ms)).toBe(words)
  })

  it.for(['', '0h', '2', 'h', '2w', '1.5h', '-1h', '61d', '2h30m'])(
    'refuses every "%s"',
    (text) => {
      expect(parseEvery(text)).toBeUndefined()
    },
  )

  /** Sends all waves. @returns how many were told at the end of each. */
  function targets(plan: WavePlan, all: number): number[] {
    const found: number[] = []
    let [after, taken] = [0, 0]
    for (let isLast = false; !isLast; ) {
      const wave = nextWave(plan, after, taken, all)
      found.push(wave.target)
      ;({ isLast, target: taken, number: after } = wave)
    }
    return found
  }

  it('reaches everybody, by shares of all or by a number at a time', () => {
    const shares = parseWaves('1%,10%,50%,100%') ?? { size: 0 }
    expect(targets(shares, 40_000)).toEqual([400, 4000, 20_000, 40_000])
    expect(targets({ size: 500 }, 1200)).toEqual([500, 1000, 1200])
    expect(targets({ size: 500 }, 1000)).toEqual([500, 1000])
  })

  it('passes over a wave that would reach nobody', () => {
    expect(targets({ shares: [0.01, 0.02, 0.5, 1] }, 10)).toEqual([1, 5, 10])
    expect(targets({ shares: [0.01, 1] }, 1)).toEqual([1, 1])
  })

  it('goes by the beginnings of waves, and leaves half of the time after a long one', () => {
    const at = (ms: number) => new Date(ms)
    expect(nextWaveAt(at(0), at(HOUR), 2 * HOUR)).toEqual(at(2 * HOUR))
    expect(nextWaveAt(at(0), at(5 * HOUR), 2 * HOUR)).toEqual(at(6 * HOUR))
  })

  it('is shown with its times, from where it is', () => {
    const now = new Date(0)
    const plan = { shares: [0.1, 0.5, 1] }
    const common = { plan, everyMs: HOUR, all: 36_000, passedOver: 0, rate: 10, now }
    const from = (taken: number) => ({ ...common, taken, letters: 36_000 - taken })
    const fresh = [...planAhead({ ...from(0), kept: undefined })]
    expect(fresh.map(({ number, size, at }) => [number, size, at.getTime() / HOUR])).toEqual([
      [1, 3600, 0],
      [2, 14_400, 1],
      [3, 18_000, 2],
    ])
    const kept = {
      waves: '10%,50%,100%',
      everyMs: HOUR,
      number: 1,
      target: 3600,
      size: 3600,
      isLast: false,
      before: { tried: 0, told: 0, failed: 0, left: 0 },
      begunAt: new Date(-HOUR / 2),
    }
    const amid = [...planAhead({ ...from(1800), kept })]
    expect(amid.map(({ number, size }) => [number, size])).toEqual([
      [1, 1800],
      [2, 14_400],
      [3, 18_000],
    ])
    expect(amid[1]?.at.getTime()).toBe(33 * 60_000)
    // It has ended, and the next one is due in an hour, or was due an hour ago.
    const ended = { ...kept, endedAt: new Date(-HOUR / 4), nextAt: new Date(HOUR) }
    const firstAt = (now: Date) =>
      [...planAhead({ ...from(3600), kept: ended, now })][0]?.at.getTime()
    expect(firstAt(now)).toBe(HOUR)
    expect(firstAt(new Date(2 * HOUR))).toBe(2 * HOUR)
  })

  it('counts letters: who left before their turn has none, and somebody else has one in their place', () => {
    const planned = (plan: WavePlan, all: number, letters: number, taken = 0, passedOver = 0) =>
      [
        ...planAhead({
          ...{ plan, all, letters, taken, passedOver, everyMs: HOUR, rate: 10 },
          ...{ kept: undefined, now: new Date(0) },
        }),
      ].map(({ size, inAll }) => [size, inAll])
    expect(planned({ size: 2 }, 7, 4)).toEqual([
      [2, 2],
      [2, 4],
    ])
    expect(planned({ size: 2 }, 4, 2)).toEqual([[2, 2]])
    expect(planned({ size: 2 }, 7, 2, 4, 2)).toEqual([[2, 4]])
    expect(planned({ shares: [0.1, 0.5, 1] }, 64, 58)).toEqual([
      [7, 7],
      [25, 32],
      [26, 58],
    ])
    // The same after its first wave, in which four were passed over.
    expect(planned({ shares: [0.1, 0.5, 1] }, 64, 51, 11, 4)).toEqual([
      [25, 32],
      [26, 58],
    ])
  })
})
