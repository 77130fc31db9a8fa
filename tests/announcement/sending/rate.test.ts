import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listRate } from '../../../src/announcement/sending/list-rate.ts'
import {
  allowedAt,
  dueAt,
  freeAt,
  paceInWords,
  parseRate,
  type Rate,
  rateInWords,
  rateText,
} from '../../../src/announcement/sending/rate.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('a rate', () => {
  it.each([
    ['10', { letters: 10, ms: 1000 }, '10', '10 a second'],
    ['0.5', { letters: 0.5, ms: 1000 }, '0.5', '0.5 a second'],
    ['10/s', { letters: 10, ms: 1000 }, '10', '10 a second'],
    ['2000/h', { letters: 2000, ms: HOUR }, '2000/h', '2,000 an hour'],
    ['400/d', { letters: 400, ms: DAY }, '400/d', '400 a day'],
  ])('is read from %s, and has one spelling', (text, rate, spelling, words) => {
    expect(parseRate(text)).toEqual(rate)
    expect([rateText(rate), rateInWords(rate)]).toEqual([spelling, words])
    expect(parseRate(spelling)).toEqual(rate)
  })

  it.each([
    ...['', '0', '0/h', '-1', '1001', '1e3', '2000/w', '2000 /h', '2000/h/d', '/h', '1.5/h'],
    ...['1000001/d', 'NaN', '٤/h', '0.001'],
  ])('is not read from "%s"', (text) => {
    expect(parseRate(text)).toBeUndefined()
  })

  it('says when it is done, by the day', () => {
    const thursday = new Date(2026, 10, 26, 10, 30)
    const of = (letters: number) => paceInWords({ letters: 2000, ms: HOUR }, letters, thursday)
    expect(of(7000)).toBe('2,000 an hour, done about 14:00')
    expect(of(55_000)).toBe('2,000 an hour, done on Friday about 14:00')
    expect(of(2_000_000)).toBe('2,000 an hour, done on 2027-01-07 about 02:30')
  })

  it('has room for as many as left long enough ago, and says when', () => {
    const rate = { letters: 3, ms: 100 }
    expect([allowedAt(rate, [], 500), freeAt(rate, [], 500), dueAt(rate, [], 500)]).toEqual([
      3, 500, 1,
    ])
    const left = [400, 401, 450]
    expect([allowedAt(rate, left, 500), freeAt(rate, left, 500)]).toEqual([1, 500])
    expect([allowedAt(rate, left, 499), freeAt(rate, left, 499)]).toEqual([0, 500])
    // A letter each 33 ms, from the last one on.
    expect([dueAt(rate, left, 510), dueAt(rate, left, 483)]).toEqual([1, 0])
    expect(dueAt(rate, [100], 900)).toBe(1)
  })
})

/** A list on a machine whose clock is set back and that sleeps, with processes that come and go. */
function list() {
  let [now, behind, slept] = [1e12, 0, 0]
  const left: number[] = []
  const ledger: { at: number; isSending: boolean }[] = []
  const wall = () => now - behind
  async function begin(rate: Rate, untilNow: boolean) {
    const newest = Math.max(wall(), ...ledger.map(({ at }) => at))
    for (const row of ledger.filter(({ isSending }) => isSending)) {
      row.at = newest
      row.isSending = false
    }
    const begun = now - slept
    return listRate({
      ledger: {
        async *toldSince(time): AsyncIterable<Date> {
          for (const { at } of ledger) if (at >= time.getTime()) yield new Date(at)
        },
      },
      rate,
      untilNow,
      wall,
      elapsed: () => now - slept - begun,
    })
  }
  return {
    left,
    begin,
    pass: (ms: number) => {
      now += ms
    },
    sleep: (ms: number) => {
      now += ms
      slept += ms
    },
    setBack: (ms: number) => {
      behind += ms
    },
    /** Letters leave; the process is killed before it notes the last ones. */
    send(process: Awaited<ReturnType<typeof begin>>, most: number, noted: number) {
      const letters = Math.min(most, process.limiter.wait() > 0 ? 0 : process.limiter.ready())
      process.limiter.spend(letters)
      for (let i = 0; i < letters; i += 1) {
        left.push(now)
        const at = process.leftAt()?.getTime() ?? wall()
        ledger.push({ at: i < noted ? at : wall(), isSending: i >= noted })
      }
    },
  }
}

/** The most that left in any window. */
function mostIn(left: readonly number[], { ms }: Rate): number {
  return Math.max(0, ...left.map((to) => left.filter((at) => at > to - ms && at <= to).length))
}

const event = fc.record({
  what: fc.constantFrom('sleep', 'setBack'),
  ms: fc.nat(2 * HOUR),
})

const step = fc.record({
  /** With how many letters noted, if the process ends here; the others were under way as it was killed. */
  endsWith: fc.option(fc.nat(9)),
  untilNow: fc.boolean(),
  most: fc.nat(9),
  ms: fc.nat(HOUR / 8),
  event: fc.option(event, { freq: 6 }),
})

describe('the rate of a list', () => {
  it('is never passed in any window, whatever restarts, sleeps, is killed or set back', async () => {
    let full = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(step, { minLength: 20, maxLength: 60 }),
        async (letters, steps) => {
          const rate = { letters, ms: HOUR }
          const one = list()
          let process = await one.begin(rate, false)
          for (const { endsWith, untilNow, most, ms, event } of steps) {
            one.send(process, most, endsWith ?? most)
            if (event) one[event.what as 'sleep' | 'setBack'](event.ms)
            one.pass(ms)
            if (endsWith !== null) process = await one.begin(rate, untilNow)
          }
          const found = mostIn(one.left, rate)
          if (found === letters) full += 1
          expect(found).toBeLessThanOrEqual(letters)
        },
      ),
      { numRuns: 2000 },
    )
    // It is reached, too.
    expect(full).toBeGreaterThan(100)
  })

  it('goes on an hour later where the clock was set back by a month', async () => {
    const rate = { letters: 1, ms: HOUR }
    const one = list()
    one.send(await one.begin(rate, false), 1, 1)
    one.setBack(30 * DAY)
    const process = await one.begin(rate, false)
    one.pass(HOUR - 1)
    one.send(process, 1, 1)
    expect(one.left).toHaveLength(1)
    one.pass(1)
    one.send(process, 1, 1)
    expect(one.left).toHaveLength(2)
  })

  it('has no letter before an earlier one, where the machine slept and its clock was set back', async () => {
    const one = list()
    const process = await one.begin({ letters: 3, ms: HOUR }, false)
    one.sleep(2 * HOUR)
    const earlier = process.leftAt()
    one.setBack(HOUR)
    expect([earlier, process.leftAt()]).toEqual([undefined, new Date(1e12 + 2 * HOUR)])
  })

  it('is reached: evenly by one process, and by one that a timer starts', async () => {
    const rate = { letters: 360, ms: HOUR }
    const steady = list()
    const process = await steady.begin(rate, false)
    for (let second = 0; second < 3 * 3600; second += 1) {
      steady.send(process, 9, 9)
      steady.pass(1000)
    }
    expect(steady.left.length).toBeGreaterThan(1070)
    // No two are closer than the rate says, but for a moment that was missed.
    const gaps = steady.left.slice(1).map((at, i) => at - (steady.left[i] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(9000)
    const timed = list()
    for (let minute = 0; minute < 180; minute += 10) {
      const due = await timed.begin(rate, true)
      while (Number.isFinite(due.limiter.wait())) {
        timed.send(due, 9, 9)
        timed.pass(100)
      }
      timed.pass(599_000)
    }
    expect(timed.left.length).toBeGreaterThan(950)
    expect(mostIn(timed.left, rate)).toBeLessThanOrEqual(360)
  })
})
