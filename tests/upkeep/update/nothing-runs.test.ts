/** @module-tag thorough */
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, type TestContext } from 'vitest'
import { refuseOthersFiles } from '../../../src/upkeep/update/alone.ts'
import { holdUpdate } from '../../../src/upkeep/update/update.ts'
import { outOfReach } from '../../fixtures/out-of-reach.ts'
import { ended, run } from '../../fixtures/run.ts'
import { worded } from '../worded.ts'
import { git } from './founder.ts'
import { operatorsSettings, trap, withRepositories, write } from './repositories.ts'

const repositories = withRepositories()

const SOMEBODY = 4242

/** All that an update asks of git, up to the new version in its place and back. */
async function whole({ source, folder }: ReturnType<typeof repositories>) {
  const all = source()
  const { plan = {} } = (await all.look()) ?? {}
  await all.stage(plan, join(folder, 'next'))
  expect(await all.isAsPlanned(plan)).toBe(true)
  await all.forth(plan)
  await all.back(plan)
  await all.forth(plan)
}

it('goes into no repository that a branch names within it', async () => {
  const two = repositories()
  const { program, hasRun } = trap(two.folder)
  operatorsSettings(
    'submodule.recurse=true',
    'fetch.recurseSubmodules=true',
    'protocol.allow=always',
  )
  const inner = two.commit('inner')
  const url = `ext::sh -c ${program}`
  write(two.upstream, '.gitmodules', `[submodule "s"]\n\tpath = s\n\turl = ${url}\n`)
  git(two.upstream, 'update-index', '--add', '--cacheinfo', `160000,${inner},s`)
  git(two.upstream, 'add', '.gitmodules')
  git(two.upstream, 'commit', '-q', '-m', 'another repository')
  git(two.root, 'config', 'submodule.s.url', url)
  git(two.root, 'config', 'submodule.s.active', 'true')
  await whole(two)
  expect(hasRun()).toBe(false)
  expect(readdirSync(join(two.root, 's'))).toEqual([])
})

it('asks no address that is a command', async () => {
  const two = repositories()
  const { program, hasRun } = trap(two.folder)
  operatorsSettings('protocol.ext.allow=always', 'protocol.allow=always')
  git(two.root, 'remote', 'set-url', 'origin', `ext::${program} %S`)
  expect(await two.taken()).toContain("transport 'ext' not allowed")
  expect(hasRun()).toBe(false)
})

it('runs no hook, no program that watches files, and no filter, merge or look that a branch says alone', async () => {
  const two = repositories()
  const { program, hasRun } = trap(two.folder)
  const names = ['post-checkout', 'post-merge', 'post-index-change', 'reference-transaction']
  for (const name of [...names, 'pre-auto-gc', 'post-rewrite'])
    write(two.root, `.git/hooks/${name}`, readFileSync(program, 'utf8'), 0o755)
  git(two.root, 'config', 'core.fsmonitor', program)
  const ours = ['filter', 'merge', 'diff'].map((name) => `* ${name}=theirs\n`).join('')
  const settings = [
    ...[`[filter "theirs"]\n\tsmudge = ${program}\n\tclean = ${program}\n\trequired`],
    ...[`[merge "theirs"]\n\tdriver = ${program}`, `[diff "theirs"]\n\tcommand = ${program}`],
    ...[`[core]\n\tfsmonitor = ${program}\n\tsshCommand = ${program}`],
  ].join('\n')
  write(two.upstream, '.gitattributes', ours)
  for (const path of ['.gitconfig', '.lfsconfig', 'config', 'bare/config'])
    write(two.upstream, path, settings)
  for (const [path, text] of [
    ['bare/HEAD', 'ref: refs/heads/main\n'],
    ['bare/objects/x', ''],
    ['bare/refs/x', ''],
  ] as const)
    write(two.upstream, path, text)
  two.commit('second')
  await whole(two)
  expect(existsSync(join(two.root, '.gitattributes'))).toBe(true)
  expect(hasRun()).toBe(false)
  // The hooks and what watches files would have, by git itself.
  git(two.root, 'status')
  expect(hasRun()).toBe(true)
})

it('runs nothing of the operator’s on what is only looked at', async () => {
  const two = repositories()
  const { program, hasRun } = trap(two.folder)
  write(two.upstream, '.gitattributes', '* filter=lfs\n')
  const second = two.commit('second')
  operatorsSettings(`filter.lfs.smudge=${program}`, `filter.lfs.process=${program}`)
  expect(await two.taken()).toBe(second)
  expect(hasRun()).toBe(false)
})

it('takes a commit for what it is, whatever stands in for it here', async () => {
  const two = repositories()
  const elsewhere = two.foreign()
  const second = two.commit('second')
  git(two.root, 'fetch', '-q', 'origin', 'foreign')
  git(two.root, 'fetch', '-q', 'origin')
  git(two.root, 'replace', second, elsewhere)
  const all = two.source()
  const { plan = {} } = (await all.look()) ?? {}
  await all.stage(plan, join(two.folder, 'next'))
  await all.forth(plan)
  for (const place of [join(two.folder, 'next'), two.root])
    expect(readFileSync(join(place, 'src/main.ts'), 'utf8')).toBe('second')
})

/** What makes a checkout somebody else's, and what root is told of it. */
async function asRoot(context: TestContext) {
  if (process.geteuid?.() !== 0) context.skip('only root has somebody below it')
  const two = repositories()
  chmodSync(two.folder, 0o755)
  const why = () => worded(() => refuseOthersFiles(two.root)).catch(({ message }: Error) => message)
  expect(await why()).toBeUndefined()
  return { ...two, why }
}

it.for(['.git/config', '.git/hooks', '.git/info', '.git/HEAD', '.git/objects', '.update'])(
  'is not run by root where somebody else may write %s',
  async (path, context) => {
    const { root, why } = await asRoot(context)
    const place = join(root, path)
    chownSync(place, SOMEBODY, SOMEBODY)
    expect(await why()).toBe(
      `${place} does not belong to root: run "chown -h root:root '${place}'" as root. Look first at what was written there: an update runs it as root. Nothing was changed.`,
    )
    chownSync(place, 0, 0)
    chmodSync(place, 0o777)
    expect(await why()).toContain(
      `${place} can be changed by others than root: run "chmod go-w '${place}'"`,
    )
    chmodSync(place, 0o755)
    expect(await why()).toBeUndefined()
  },
)

it('is not run by root in the folder of another user, also with sudo, nor in a folder of theirs', async (context) => {
  const { folder, root, why } = await asRoot(context)
  chownSync(folder, SOMEBODY, SOMEBODY)
  expect(await why()).toContain(`${folder} does not belong to root`)
  chownSync(folder, 0, 0)
  chownSync(root, SOMEBODY, SOMEBODY)
  expect(await why()).toContain(
    `${root} belongs to user 4242, and git works there for no other user.`,
  )
})

it('is not run by root with objects or a folder of git’s that somebody else may write', async (context) => {
  const { folder, root, upstream, why } = await asRoot(context)
  const borrowed = join(upstream, '.git/objects')
  write(root, '.git/objects/info/alternates', `${borrowed}\n`)
  expect(await why()).toBeUndefined()
  chownSync(borrowed, SOMEBODY, SOMEBODY)
  expect(await why()).toContain(`${borrowed} does not belong to root`)
  chownSync(borrowed, 0, 0)
  const worktree = join(folder, 'worktree')
  git(root, 'worktree', 'add', '-q', worktree)
  expect(() => refuseOthersFiles(worktree)).not.toThrow()
  chownSync(join(root, '.git/config'), SOMEBODY, SOMEBODY)
  await expect(worded(() => refuseOthersFiles(worktree))).rejects.toThrow(
    `${root}/.git/config does not belong to root`,
  )
})

it('is held by a file that nobody else may read', () => {
  const { root } = repositories()
  const lock = join(root, '.update/lock')
  // As a version of before has left it.
  write(root, '.update/lock', '')
  holdUpdate(root)()
  expect(statSync(lock).mode & 0o777).toBe(0o600)
})

it('cannot be kept away by somebody who may only read', { tags: 'long' }, async (context) => {
  const { root } = await asRoot(context)
  const closed = outOfReach([root])
  if (closed) return context.skip(closed)
  // As a version of before has left it.
  write(root, '.update/lock', '')
  // Node begins as root, as its own program may lie where nobody else may read it.
  const read = `process.setgroups([])
    process.setgid(${SOMEBODY})
    process.setuid(${SOMEBODY})
    const { DatabaseSync } = require('node:sqlite')
    const db = new DatabaseSync('${root}/.update/lock', { readOnly: true })
    db.exec('BEGIN; SELECT * FROM sqlite_master')
    console.log('held')
    setInterval(() => db.isOpen, 60_000)`
  const command = [process.execPath, '-e', read] as const
  const reader = run(root, command)
  await reader.printed(/held/)
  await expect(worded(() => holdUpdate(root))).rejects.toThrow('Another update is under way here.')
  await reader.end('SIGKILL')
  holdUpdate(root)()
  const { stderr } = await ended(run(root, command))
  expect(stderr).toContain('unable to open database file')
})
