import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { groupCommit } from '../../../src/store/sqlite/group-commit.ts'
import { StoreUnavailable } from '../../../src/store/subscriber-store.ts'

/** Group commits that are written down; `end` says when the next one is done, and how. */
function recorded(end: () => Promise<void> = async () => {}) {
  const groups: number[][] = []
  const commits = groupCommit<number>((group) => {
    groups.push(group)
    return end()
  })
  return { groups, commits }
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
  const { groups, commits } = recorded(async () => {
    if (reason) throw reason
  })
  const ends = followed(commits.add(1), commits.add(2))
  await expect.poll(() => ends).toEqual(['disk full', 'disk full'])
  reason = undefined
  await commits.add(3)
  expect(groups).toEqual([[1, 2], [3]])
})

it('gathers who comes while a group waits for a lock, in order, and commits one at a time', async () => {
  const first = Promise.withResolvers<void>()
  let end = first.promise
  const { groups, commits } = recorded(() => end)
  const ends = followed(commits.add(1), commits.add(2))
  for (let i = 0; i < 3; i++) await turn()
  const later = followed(commits.add(3), commits.add(4))
  for (let i = 0; i < 3; i++) await turn()
  expect(groups).toEqual([[1, 2]])
  expect([...ends, ...later]).toEqual(['waits', 'waits', 'waits', 'waits'])
  end = Promise.resolve()
  first.reject(new Error('locked'))
  await commits.add(5)
  expect(groups).toEqual([
    [1, 2],
    [3, 4, 5],
  ])
  expect([...ends, ...later]).toEqual(['locked', 'locked', 'committed', 'committed'])
})

it('closes when all that waits has ended, and takes no more', async () => {
  const last = Promise.withResolvers<void>()
  const { commits, groups } = recorded(() => last.promise)
  const ends = followed(commits.add(1))
  const closed = followed(commits.close())
  await expect(commits.add(2)).rejects.toThrow(StoreUnavailable)
  await expect(commits.add(2)).rejects.toThrow('The store is closed.')
  for (let i = 0; i < 3; i++) await turn()
  expect([...ends, ...closed]).toEqual(['waits', 'waits'])
  last.resolve()
  await turn()
  expect([...ends, ...closed]).toEqual(['committed', 'committed'])
  expect(groups).toEqual([[1]])
  await commits.close()
})
