/** @module-tag thorough */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../../../src/upkeep/update/command.ts'
import { gitIn } from '../../../src/upkeep/update/git.ts'
import { fetchBranch, refuseHuge } from '../../../src/upkeep/update/upstream.ts'
import { isLong } from '../../torture/form.ts'
import { worded } from '../worded.ts'
import { git } from './founder.ts'
import { withRepositories, write } from './repositories.ts'

const repositories = withRepositories()

it('takes the branch, whatever tag somebody pushes with its name', async () => {
  const { upstream, root, first, commit, foreign, fetched } = repositories()
  git(upstream, 'tag', 'origin/main', foreign())
  expect(await fetched({ from: 'origin/main' })).toBe(first)
  git(root, 'config', 'remote.origin.tagOpt', '--tags')
  const second = commit('second')
  git(upstream, 'tag', '-f', 'origin/main', 'foreign')
  git(upstream, 'tag', 'of-second', second)
  // A tag of the branch's own name, which the operator has fetched.
  git(root, 'tag', 'main')
  for (const options of [{}, { from: 'origin/main' }]) expect(await fetched(options)).toBe(second)
  expect(git(root, 'tag')).toBe('main')
})

it.each(isLong ? ['tags', 'heads'] : ['tags'])(
  'takes nothing that is called refs/heads/main among the %s, where the branch is gone',
  async (kind) => {
    const { upstream, root, first, foreign, fetched } = repositories()
    git(upstream, 'update-ref', `refs/${kind}/refs/heads/main`, foreign())
    git(upstream, 'branch', '-m', 'main', 'trunk')
    for (const options of [{}, { from: 'origin/main' }])
      expect(await fetched(options)).toContain('origin has no branch main.')
    expect(git(root, 'rev-parse', 'refs/remotes/origin/main')).toBe(first)
  },
)

it('takes no branch that somebody calls HEAD for the one that HEAD stands for here', async () => {
  const { upstream, root, first, foreign, fetched } = repositories()
  git(upstream, 'update-ref', 'refs/heads/HEAD', foreign())
  expect(await fetched({ from: 'origin/HEAD' })).toContain('stands for another one')
  expect(git(root, 'rev-parse', 'refs/remotes/origin/main')).toBe(first)
})

const likeIt = ['refs/tags/origin/main', 'refs/heads/origin/main', 'refs/origin/main']
it.each(isLong ? likeIt : likeIt.slice(0, 1))(
  'refuses a name that %s has as well, and says what takes that away',
  async (other) => {
    const { root, commit, first, fetched } = repositories()
    git(root, 'update-ref', other, first)
    const second = commit('second')
    const remedy = `git update-ref -d ${other}`
    for (const options of [{}, { from: 'origin/main' }])
      expect(await fetched(options)).toBe(
        `origin/main is ambiguous: ${other} has the same name. Ask who made that; "${remedy}" takes it away here. Nothing was changed.`,
      )
    git(root, ...remedy.split(' ').slice(1))
    expect(await fetched()).toBe(second)
  },
)

it('refuses what may be of two remotes, and what is no branch of one', async () => {
  const { upstream, root, first, fetched } = repositories()
  git(root, 'tag', 'v1')
  git(root, 'branch', 'mine')
  for (const from of ['v1', 'mine', first, 'HEAD', 'refs/remotes/origin/main', 'other/main'])
    expect(await fetched({ from })).toBe(
      `--from takes a branch of a remote, such as origin/main; ${from} is none. Nothing was changed.`,
    )
  for (const branch of ['main:refs/heads/main', 'main^{}', '..', '', '*'])
    expect(await fetched({ from: `origin/${branch}` })).toContain('cannot be the name of a branch')
  git(root, 'remote', 'add', 'origin/their', upstream)
  expect(await fetched({ from: 'origin/their/main' })).toMatch(/ is ambiguous: .* or of /)
  git(root, 'branch', '-q', '--unset-upstream')
  expect(await fetched()).toContain('say where the update comes from, such as --from origin/main')
})

it('stages the commit that was shown, whatever is pushed meanwhile', async () => {
  const { root, commit, source, folder } = repositories()
  const second = commit('second')
  const shown = source()
  const look = await shown.look()
  expect(look).toMatchObject({ from: 'origin/main', target: second })
  commit('third')
  git(root, 'fetch', '-q')
  await shown.stage(look?.plan ?? {}, join(folder, 'next'))
  expect(readFileSync(join(folder, 'next/src/main.ts'), 'utf8')).toBe('second')
})

it('takes the commit that --check has shown, and no other name for one', async () => {
  const { root, commit, foreign, fetched, taken } = repositories()
  const second = commit('second')
  const elsewhere = foreign()
  commit('third')
  git(root, 'fetch', '-q')
  git(root, 'update-ref', `refs/heads/${second}`, elsewhere)
  expect(await taken({ to: second })).toBe(second)
  expect(await fetched({ to: elsewhere })).toBe(
    `origin/main has no commit ${elsewhere}. Nothing was changed.`,
  )
  for (const to of [second.slice(0, 9), 'origin/main', 'HEAD', '--output=x'])
    expect(await fetched({ to })).toContain('--to takes the whole id of a commit')
})

it('refuses a branch that was rewritten, until it is told', async () => {
  const { root, commit, fetched } = repositories()
  const second = commit('second')
  expect(await fetched()).toBe(second)
  const other = commit('second, once more', '--amend')
  const why = await fetched()
  expect(why).toContain('origin/main was rewritten: it lacks commits that it had')
  expect(await fetched({ from: 'origin/main' })).toBe(why)
  const [, told = ''] = /"git (fetch .*)" takes it/.exec(String(why)) ?? []
  git(root, ...told.split(' '))
  expect(await fetched()).toBe(other)
})

it('refuses a version of too many files, of too many bytes, or whose list never ends', async () => {
  const file = '100644 blob 0123 1\tname\0'
  const refusal = (stdout: string, isCut = false) => {
    const ask = async () => ({ status: 0, stdout, stderr: '', isCut })
    return worded(
      refuseHuge(
        Object.assign(async () => stdout, { ask }),
        'main',
      ),
    )
  }
  await refusal(file.repeat(1000))
  for (const huge of [refusal(file.repeat(100_001)), refusal(file, true)])
    await expect(huge).rejects.toThrow('The new version has more than 100,000 files')
  await expect(refusal(file.replace(' 1\t', ` ${2 ** 30 + 1}\t`))).rejects.toThrow('1 GiB')
})

it('refuses a few kilobytes that are files for a whole disk', { tags: 'long' }, async () => {
  const { upstream, taken } = repositories()
  write(upstream, 'bomb', '')
  const blob = git(upstream, 'hash-object', '-w', 'bomb')
  let tree = blob
  for (let depth = 0; depth < 12; depth += 1) {
    const kind = depth === 0 ? '100644 blob' : '040000 tree'
    const lines = Array.from({ length: 10 }, (_, n) => `${kind} ${tree}\t${n}`).join('\n')
    tree = String(
      (await runCommand('sh', ['-c', `printf '%s\\n' "$0" | git mktree`, lines], { cwd: upstream }))
        .stdout,
    ).trim()
  }
  const bomb = git(upstream, 'commit-tree', tree, '-p', 'main', '-m', 'A bomb')
  git(upstream, 'update-ref', 'refs/heads/main', bomb)
  expect(await taken()).toContain('The new version has more than 100,000 files')
})

it('stops a fetch that writes too much, and leaves nothing of it', async () => {
  const { upstream, root, commit } = repositories()
  write(upstream, 'large', randomBytes(2 ** 20).toString('latin1'))
  commit('large')
  const of = {
    remote: 'origin',
    branch: 'main',
    name: 'origin/main',
    ref: 'refs/remotes/origin/main',
  }
  await expect(worded(fetchBranch(gitIn(root), of, 1024))).rejects.toThrow(
    'The new commits of origin/main are larger than 1 GiB',
  )
  expect(readdirSync(join(root, '.git/objects/pack'))).toEqual([])
})

it('ends a program that takes too long or says too much, also where another holds its output', async () => {
  const cwd = '/'
  const hangs = await runCommand('sh', ['-c', 'sleep 60 & exec sleep 60'], { cwd, withinMs: 20 })
  expect(hangs).toMatchObject({ isCut: true, status: 1 })
  expect(await runCommand('yes', [], { cwd, mostSaid: 10_000 })).toMatchObject({ isCut: true })
})
