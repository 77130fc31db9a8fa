import { expect, it, onTestFinished, vi } from 'vitest'
import { visitCounter } from '../../src/audience/visit-counter.ts'
import { OUR_AGENT } from '../../src/shared/our-agent.ts'
import { StoreUnavailable } from '../../src/store/subscriber-store.ts'
import type { CountedHour } from '../../src/store/visits.ts'

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

/** A counter over a store that fails as long as it is told to. */
function counting(everyMs?: number) {
  const kept: CountedHour[] = []
  const trouble: { cause?: Error | undefined } = {}
  const faults: unknown[] = []
  let asked = 0
  const store = {
    async add(hours: readonly CountedHour[]) {
      asked += 1
      // A counter that tries again without a pause would never let the test end.
      if (trouble.cause && asked < 500) throw trouble.cause
      kept.push(...hours)
    },
  }
  const visits = visitCounter(store, undefined, (fault) => faults.push(fault), everyMs)
  const first = () => kept.reduce((sum, { counts }) => sum + counts.first, 0)
  return { visits, kept, trouble, faults, first, asked: () => asked }
}

it('counts no look of our own at the page, as a person or as a robot', async () => {
  const { visits, kept, first } = counting()
  visits.count({ 'user-agent': OUR_AGENT }, '/', false)
  await visits.close()
  expect(kept).toEqual([])
  expect(first()).toBe(0)
})

it('keeps what a store could not keep until it can', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { visits, kept, trouble, faults, first } = counting()
  trouble.cause = new StoreUnavailable('away')
  visits.count(BROWSER, '/?ref=hn', false)
  await vi.advanceTimersByTimeAsync(5000)
  visits.count(BROWSER, '/?ref=hn', false)
  expect(kept).toEqual([])
  trouble.cause = undefined
  await vi.advanceTimersByTimeAsync(1000)
  expect(first()).toBe(2)
  expect(kept[0]?.names).toEqual([{ kind: 'source', name: 'hn', number: 2 }])
  expect(faults).toEqual([])
})

it('counts each hour by itself, and remembers two days of them at most', async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 5, 9, 59, 59) })
  onTestFinished(() => void vi.useRealTimers())
  const { visits, kept, trouble } = counting(3_600_000)
  trouble.cause = new StoreUnavailable('away')
  for (let i = 0; i < 100; i += 1) {
    visits.count(BROWSER, '/', false)
    await vi.advanceTimersByTimeAsync(3_600_000)
  }
  trouble.cause = undefined
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(kept).toHaveLength(48)
  expect(kept.at(-1)?.hour).toEqual(new Date(Date.UTC(2026, 0, 9, 12)))
})

it('says what is a fault of ours, and goes on', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { visits, trouble, faults, first } = counting()
  const fault = new TypeError('ours')
  trouble.cause = fault
  visits.count(BROWSER, '/', false)
  await vi.advanceTimersByTimeAsync(1000)
  expect(faults).toEqual([fault])
  trouble.cause = undefined
  await vi.advanceTimersByTimeAsync(1000)
  expect(first()).toBe(1)
})

it('is closed when what it was keeping is kept', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const kept = Promise.withResolvers<void>()
  const store = { add: () => kept.promise }
  const visits = visitCounter(store, undefined, () => {})
  visits.count(BROWSER, '/', false)
  await vi.advanceTimersByTimeAsync(1000)
  let isClosed = false
  const closing = visits.close().then(() => {
    isClosed = true
  })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(isClosed).toBe(false)
  kept.resolve()
  await closing
})

it('counts each link once, however many there are at once, and none of the page itself', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { visits, kept } = counting()
  const referer = 'https://a.www.example/'
  visits.count({ ...BROWSER, host: 'page.example', referer }, '/', false)
  visits.count({ ...BROWSER, host: 'page.example', referer: 'https://page.example/' }, '/', false)
  for (let i = 0; i < 150; i += 1) visits.count(BROWSER, `/?ref=first${i}`, false)
  for (let i = 0; i < 100; i += 1) visits.count(BROWSER, `/?ref=first7&x=${i}`, false)
  await vi.advanceTimersByTimeAsync(1000)
  const names = new Map(kept[0]?.names.map(({ name, number }) => [name, number]))
  expect([names.get('first7'), names.get('first8')]).toEqual([101, 1])
  const hosts = kept[0]?.names.filter(({ kind }) => kind === 'host')
  expect(hosts?.map(({ name }) => name)).toEqual(['a.www.example'])
})

it('asks the store for nothing after it was closed, though not all was kept', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { visits, trouble, first, asked } = counting()
  trouble.cause = new StoreUnavailable('away')
  visits.count(BROWSER, '/', false)
  const closing = visits.close()
  await vi.advanceTimersByTimeAsync(3000)
  await closing
  // With a pause between two tries: a store that is away is not asked as fast as it can be.
  expect(asked()).toBeLessThan(50)
  trouble.cause = undefined
  await vi.advanceTimersByTimeAsync(10_000)
  expect(first()).toBe(0)
})

it('is closed with what it has once another process lets go of the file', async () => {
  const { visits, trouble, first, asked } = counting()
  trouble.cause = new StoreUnavailable('busy')
  // A visit without a source, and without a path that is known.
  visits.count(BROWSER, undefined, false)
  const closing = visits.close()
  await expect.poll(asked).toBeGreaterThan(1)
  trouble.cause = undefined
  await closing
  expect(first()).toBe(1)
})
