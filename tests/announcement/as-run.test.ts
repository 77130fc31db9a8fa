import { expect, it, onTestFinished, vi } from 'vitest'
import { takeLock } from '../../src/announcement/run/as-run.ts'
import { emptySqlite } from '../fixtures/empty-sqlite.ts'

const holder = (owner: string) => ({ owner, host: 'here', pid: 7 })
const MINUTE = 60_000

async function onFakeTime() {
  const store = await emptySqlite()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  return store
}

it('holds the lock for as long as it runs, and not a minute longer when it dies', async () => {
  const store = await onFakeTime()
  const lock = await takeLock(store.lock, holder('first'))
  expect(lock).toHaveProperty('release')
  // At every moment of ten minutes somebody else is told who has it.
  for (let second = 0; second < 600; second += 10) {
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await takeLock(store.lock, holder('second'))).toEqual({ by: holder('first') })
  }
  // Time goes on, and nothing of ours runs any more.
  vi.setSystemTime(Date.now() + MINUTE)
  expect(await store.lock.acquire(holder('second'), MINUTE)).toEqual(holder('second'))
})

it('lets go of the lock, and renews it no more', async () => {
  const store = await onFakeTime()
  const lock = await takeLock(store.lock, holder('first'))
  if ('by' in lock) throw new Error('it was free')
  await lock.release()
  expect(vi.getTimerCount()).toBe(0)
  expect(await store.lock.acquire(holder('second'), MINUTE)).toEqual(holder('second'))
})

it('takes the lock of a run that is known to be dead', async () => {
  const store = await emptySqlite()
  await store.lock.acquire(holder('dead'), 3_600_000)
  const lock = await takeLock(store.lock, holder('next'), 'dead')
  if ('by' in lock) throw new Error('it was dead')
  await lock.release()
  expect(await store.lock.acquire(holder('third'), MINUTE)).toEqual(holder('third'))
})
