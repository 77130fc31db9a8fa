/** @module-tag thorough */
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fetchNewest, gitIn, refuseHuge } from '../../../src/cli/update/git.ts'
import { git } from './founder.ts'
import { repositories, write } from './repositories.ts'

it('takes the branch, whatever tag or branch somebody pushes with its name', () => {
  const { upstream, root, first, commit, foreign, taken } = repositories()
  const theirs = foreign()
  for (const ref of ['refs/tags/origin/main', 'refs/heads/origin/main', 'refs/tags/main'])
    git(upstream, 'update-ref', ref, theirs)
  for (const ref of ['refs/tags/refs/heads/main', 'refs/heads/refs/heads/main'])
    git(upstream, 'update-ref', ref, theirs)
  expect(taken()).toBeUndefined()
  git(root, 'config', 'remote.origin.tagOpt', '--tags')
  const second = commit('second')
  git(upstream, 'tag', 'of-second', second)
  // Names that the operator has fetched.
  for (const ref of ['refs/tags/main', 'refs/tags/origin/main', `refs/heads/${second}`])
    git(root, 'update-ref', ref, first)
  expect(taken()).toBe(second)
  expect(git(root, 'tag')).toBe('main\norigin/main')
  expect(git(root, 'rev-parse', 'refs/remotes/origin/main')).toBe(second)
})

it('takes nothing in the place of a branch that is gone', () => {
  const { upstream, root, first, foreign, taken } = repositories()
  const theirs = foreign()
  for (const kind of ['tags', 'heads'])
    git(upstream, 'update-ref', `refs/${kind}/refs/heads/main`, theirs)
  git(upstream, 'branch', '-m', 'main', 'trunk')
  expect(taken()).toBe('There is no refs/heads/main of origin. Nothing was changed.')
  expect(git(root, 'rev-parse', 'refs/remotes/origin/main')).toBe(first)
})

it('takes only the one branch of a remote that is followed', () => {
  const { root, first, taken } = repositories()
  for (const merge of ['refs/tags/main', first, 'main']) {
    git(root, 'config', '--replace-all', 'branch.main.merge', merge)
    expect(taken()).toContain('follows no branch of a remote')
  }
  git(root, 'config', 'branch.main.merge', 'refs/heads/main')
  for (const remote of ['.', 'elsewhere', 'ext::sh -c true']) {
    git(root, 'config', 'branch.main.remote', remote)
    expect(taken()).toContain('follows no branch of a remote')
  }
})

it('refuses a branch that was rewritten, until the operator fetches it', () => {
  const { root, commit, taken } = repositories()
  const second = commit('second')
  expect(taken()).toBe(second)
  const other = commit('second, once more', '--amend')
  expect(taken()).toMatch(/\(non-fast-forward\)\nNothing was changed\./)
  git(root, 'fetch', '-q')
  expect(taken()).toBe(other)
})

it('refuses a version of too many files, or of too many bytes', () => {
  const file = '100644 blob 0123 1\tname\0'
  const why = (listed: string) => () => refuseHuge(() => listed, 'main')
  expect(why(file.repeat(1000))).not.toThrow()
  for (const huge of [file.repeat(100_001), file.replace(' 1\t', ` ${2 ** 30 + 1}\t`)])
    expect(why(huge)).toThrow('It has more than 100,000 files, or 1 GiB')
})

it('stops a fetch that writes too much, and leaves nothing of it', () => {
  const { upstream, root, commit } = repositories()
  write(upstream, 'large', randomBytes(2 ** 20).toString('latin1'))
  commit('large')
  expect(() => fetchNewest(gitIn(root, 512 * 1024))).toThrow('git fetch: ')
  expect(readdirSync(join(root, '.git/objects/pack'))).toEqual([])
})
