import { expect, it, onTestFinished, vi } from 'vitest'
import { DatabaseLocked, retry } from '../../../src/store/sqlite/outage.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'

/** An attempt that fails for as long as there is a reason; time goes by when the test says so. */
function attempts(first: Error) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const tried = { times: 0, reason: first as Error | undefined }
  const attempt = () => {
    tried.times += 1
    if (tried.reason) throw tried.reason
    return 'done'
  }
  return { tried, attempt }
}

/** What becomes of a promise, as soon as it does. */
function followed(promise: Promise<unknown>) {
  const end = { said: 'waits' as unknown }
  const note = (what: unknown) => {
    end.said = what instanceof Error ? what.message : what
  }
  promise.then(note, note)
  return end
}

it('tries again while the database is locked, some times a second and not all the time', async () => {
  const { tried, attempt } = attempts(new DatabaseLocked('locked'))
  const end = followed(retry(attempt))
  await vi.advanceTimersByTimeAsync(1000)
  expect(end.said).toBe('waits')
  expect(tried.times).toBeGreaterThan(40)
  expect(tried.times).toBeLessThan(300)
  tried.reason = undefined
  await vi.advanceTimersByTimeAsync(20)
  expect(end.said).toBe('done')
})

it('gives up after two seconds, or after as long as it is told', async () => {
  const { attempt, tried } = attempts(new DatabaseLocked('locked'))
  const [usual, long] = [followed(retry(attempt)), followed(retry(attempt, 5000))]
  await vi.advanceTimersByTimeAsync(1990)
  expect([usual.said, long.said]).toEqual(['waits', 'waits'])
  await vi.advanceTimersByTimeAsync(20)
  expect([usual.said, long.said]).toEqual(['locked', 'waits'])
  await vi.advanceTimersByTimeAsync(3000)
  expect(long.said).toBe('locked')
  const { times } = tried
  await vi.advanceTimersByTimeAsync(1000)
  expect(tried.times).toBe(times)
})

it('tries nothing else again: no other outage, and no fault', async () => {
  for (const reason of [new StoreUnavailable('disk full'), new TypeError('ours')]) {
    const { tried, attempt } = attempts(reason)
    await expect(retry(attempt)).rejects.toBe(reason)
    expect(tried.times).toBe(1)
  }
})
