import { setImmediate as turn } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { DatabaseLocked, groupCommit } from '../../../src/store/sqlite/group-commit.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'

/** Group commits that are written down; `fail` says what the next one throws. */
function recorded(fail: (group: number[]) => unknown = () => undefined) {
  const groups: number[][] = []
  const commits = groupCommit<number>((group) => {
    groups.push(group)
    const reason = fail(group)
    if (reason) throw reason
  })
  return { groups, commits }
}

/** Time that goes by when the test says so. */
function fakeTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** What becomes of each promise, as soon as it does. */
function followed(...promises: Promise<void>[]) {
  const ends: string[] = promises.map(() => 'waits')
  promises.forEach((promise, i) => {
    promise.then(
      () => {
        ends[i] = 'committed'
      },
      (reason) => {
        ends[i] = reason.message
      },
    )
  })
  return ends
}

it('commits together what turn after turn brings, in order, and says so when it is done', async () => {
  const { groups, commits } = recorded()
  const ends = followed(commits.add(1), commits.add(2))
  const third = turn().then(() => commits.add(3))
  expect(groups).toEqual([])
  await Promise.resolve()
  expect(ends).toEqual(['waits', 'waits'])
  await third
  expect(ends).toEqual(['committed', 'committed'])
  await commits.add(4)
  expect(groups).toEqual([[1, 2, 3], [4]])
})

it('keeps nobody waiting for more than 256', async () => {
  const { groups, commits } = recorded()
  const many = (count: number) => Array.from({ length: count }, (_, i) => commits.add(i))
  const first = many(256)
  await turn()
  expect(groups.map(({ length }) => length)).toEqual([256])
  const second = many(255)
  await turn()
  await Promise.all([...first, ...second, ...many(2)])
  expect(groups.map(({ length }) => length)).toEqual([256, 257])
})

it('tells all of a group what went wrong, and nobody of the next', async () => {
  let reason: Error | undefined = new Error('disk full')
  const { groups, commits } = recorded(() => reason)
  const ends = followed(commits.add(1), commits.add(2))
  await expect.poll(() => ends).toEqual(['disk full', 'disk full'])
  reason = undefined
  await commits.add(3)
  expect(groups).toEqual([[1, 2], [3]])
})

it('tries again while the database is locked, with whoever came meanwhile, in order', async () => {
  fakeTime()
  let reason: Error | undefined = new DatabaseLocked('locked')
  const { groups, commits } = recorded(() => reason)
  const first = followed(commits.add(1), commits.add(2))
  for (let i = 0; i < 3; i++) await turn()
  expect(groups).toEqual([[1, 2]])
  const second = followed(commits.add(3))
  for (let i = 0; i < 3; i++) await turn()
  expect(groups).toHaveLength(1)
  reason = undefined
  await vi.advanceTimersByTimeAsync(100)
  expect([...first, ...second]).toEqual(['committed', 'committed', 'committed'])
  expect(groups).toEqual([
    [1, 2],
    [1, 2, 3],
  ])
  await commits.add(4)
  expect(groups.at(-1)).toEqual([4])
})

it('gives up on each after two seconds of its own', async () => {
  fakeTime()
  let reason: Error | undefined = new DatabaseLocked('locked')
  const { groups, commits } = recorded(() => reason)
  const ends = followed(commits.add(1))
  await turn()
  await turn()
  await vi.advanceTimersByTimeAsync(1500)
  const later = followed(commits.add(2))
  await vi.advanceTimersByTimeAsync(499)
  expect([...ends, ...later]).toEqual(['waits', 'waits'])
  await vi.advanceTimersByTimeAsync(41)
  expect([...ends, ...later]).toEqual(['locked', 'waits'])
  reason = undefined
  await vi.advanceTimersByTimeAsync(20)
  expect(later).toEqual(['committed'])
  expect(groups.at(-1)).toEqual([2])
  // Not once for each turn of the event loop.
  expect(groups.length).toBeLessThan(110)
})

it('goes on with the next one when it gave up on all', async () => {
  fakeTime()
  let reason: Error | undefined = new DatabaseLocked('locked')
  const { commits, groups } = recorded(() => reason)
  const ends = followed(commits.add(1))
  await turn()
  await turn()
  await vi.advanceTimersByTimeAsync(2100)
  expect(ends).toEqual(['locked'])
  const tries = groups.length
  await vi.advanceTimersByTimeAsync(1000)
  expect(groups).toHaveLength(tries)
  reason = undefined
  await commits.add(2)
  expect(groups.at(-1)).toEqual([2])
  await commits.close()
})

it('closes when all that waits has ended, and takes no more', async () => {
  fakeTime()
  let reason: Error | undefined = new DatabaseLocked('locked')
  const { commits, groups } = recorded(() => reason)
  const ends = followed(commits.add(1))
  const closed = followed(commits.close())
  await expect(commits.add(2)).rejects.toThrow(StoreUnavailable)
  await expect(commits.add(2)).rejects.toThrow('The store is closed.')
  await turn()
  await turn()
  await vi.advanceTimersByTimeAsync(500)
  expect([...ends, ...closed]).toEqual(['waits', 'waits'])
  reason = undefined
  await vi.advanceTimersByTimeAsync(20)
  expect([...ends, ...closed]).toEqual(['committed', 'committed'])
  expect(new Set(groups.flat())).toEqual(new Set([1]))
  await commits.close()
})
