import { describe, expect, it } from 'vitest'
import { type GateOptions, gateOf, stopFor } from '../../../src/announcement/sending/gate.ts'

const MINUTE = 60_000
const fine = { tried: 500, failed: 0, told: 2000, left: 0 }

describe('an announcement stops by itself', () => {
  it.each([
    [{ ...fine, failed: 25 }, undefined],
    [{ ...fine, failed: 26 }, 'failing'],
    [{ ...fine, tried: 40, failed: 5 }, undefined],
    [{ ...fine, tried: 40, failed: 6 }, 'failing'],
    [{ ...fine, left: 6 }, undefined],
    [{ ...fine, left: 7 }, 'leaving'],
    // A single one never stops it.
    [{ ...fine, told: 3, left: 1 }, undefined],
    [{ ...fine, told: 3, left: 2 }, 'leaving'],
    [{ tried: 0, failed: 0, told: 0, left: 0 }, undefined],
  ] as const)('where of the last letters %o', (lately, why) => {
    expect(stopFor(lately, 0.05)).toBe(why)
  })
})

/** A gate, its clocks, and what it looked at. */
function gate(given: Partial<GateOptions> = {}) {
  const [clocks, looked] = [{ elapsed: 0, wall: 1e12 }, [] as string[]]
  const ready = { isOpen: false }
  const made = gateOf({
    look: async () => {
      looked.push('counts')
      return fine
    },
    stopShare: 0.05,
    ready,
    readyAgain: async () => {
      looked.push('pre-flight')
      return ready
    },
    onOpen: async () => void looked.push('open'),
    clocks: [() => clocks.elapsed, () => clocks.wall],
    ...given,
  })
  const pass = (ms: number, name: keyof typeof clocks = 'elapsed') => {
    clocks[name] += ms
  }
  return { ...made, looked, passTime: pass }
}

describe('before the next letter', () => {
  it('the counts are looked at first, and each half minute', async () => {
    const { isDue, pass, passTime, looked } = gate()
    expect(isDue()).toBe(true)
    expect(await pass()).toBeUndefined()
    expect(isDue()).toBe(false)
    passTime(MINUTE / 2)
    expect(isDue()).toBe(true)
    await pass()
    expect(looked).toEqual(['counts', 'counts'])
  })

  it.each(['elapsed', 'wall'] as const)(
    'the pre-flight runs again after an hour, by the clock %s',
    async (clock) => {
      const { pass, passTime, looked } = gate()
      passTime(59 * MINUTE, clock)
      await pass()
      passTime(MINUTE, clock)
      await pass()
      await pass()
      expect(looked).toEqual(['counts', 'counts', 'pre-flight', 'counts'])
    },
  )

  it('nothing leaves where the pre-flight finds a problem', async () => {
    const { pass, passTime } = gate({ readyAgain: async () => undefined })
    passTime(60 * MINUTE)
    expect(await pass()).toEqual({ why: 'unready', answer: '' })
  })

  it('a page that opened meanwhile is kept as open, once', async () => {
    const { pass, passTime, looked } = gate({
      readyAgain: async () => ({ isOpen: true }),
    })
    for (let hour = 0; hour < 2; hour += 1) {
      passTime(60 * MINUTE)
      await pass()
    }
    expect(looked.filter((one) => one === 'open')).toEqual(['open'])
  })
})
