import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { readSeldom } from '../../src/shared/read-seldom.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
})

it('what was read is given to all who ask within its time, and is read again then', async () => {
  let times = 0
  const read = readSeldom(() => ++times, 1000)
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  vi.advanceTimersByTime(999)
  expect(await read()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await read()).toBe(2)
})

it('what takes long to read is read for a twentieth of the time at most', async () => {
  let times = 0
  const read = readSeldom(() => {
    vi.advanceTimersByTime(500)
    return ++times
  }, 1000)
  expect(await read()).toBe(1)
  vi.advanceTimersByTime(9999)
  expect(await read()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await read()).toBe(2)
})

it('what could not be read is read again for the next who asks', async () => {
  let times = 0
  const read = readSeldom(async () => {
    times += 1
    if (times === 1) throw new Error('away')
    return times
  })
  await expect(read()).rejects.toThrow('away')
  expect(await read()).toBe(2)
})
