/** @module-tag thorough */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { go, makeIn } from '../../../src/cli/update/checkout.ts'
import { git } from './founder.ts'
import { operatorsSettings, repositories, trap, write } from './repositories.ts'

type Two = ReturnType<typeof repositories>

function planned(two: Two) {
  const found = two.look()
  if (!found) throw new Error('Nothing is new.')
  return found.plan
}

/** All that an update asks of git: to the new version, back, and to it again. */
function whole(two: Two) {
  const plan = planned(two)
  makeIn(two.git, join(two.folder, 'next'), plan)
  for (const to of ['next', 'old', 'next'] as const) go(two.git, plan, to)
}

it('keeps what has no commit, in both ways, over a lock of git’s and what was half written', () => {
  const two = repositories()
  const own = ['product.config.ts', 'brand/ours.svg']
  for (const path of own) write(two.root, path, 'ours')
  const second = two.commit('second')
  const plan = planned(two)
  go(two.git, plan, 'next')
  git(two.root, 'update-ref', 'refs/heads/main', two.first)
  write(two.root, '.git/index.lock', '')
  write(two.root, 'src/main.ts', 'sec')
  go(two.git, plan, 'next')
  const ours = () => own.map((path) => readFileSync(join(two.root, path), 'utf8'))
  expect(git(two.root, 'rev-parse', 'HEAD')).toBe(second)
  expect(git(two.root, 'status', '--porcelain', 'src')).toBe('')
  expect(git(two.root, 'show', 'refs/opening-bell/found:src/main.ts')).toBe('sec')
  expect(ours()).toEqual(['ours', 'ours'])
  go(two.git, plan, 'old')
  expect(git(two.root, 'rev-parse', 'HEAD')).toBe(two.first)
  expect(readFileSync(join(two.root, 'src/main.ts'), 'utf8')).toBe('first')
  expect(ours()).toEqual(['ours', 'ours'])
})

it('stops where both changed one line, or code is not committed', () => {
  const two = repositories()
  write(two.root, 'product.config.ts', 'ours')
  write(two.upstream, 'product.config.ts', 'theirs')
  write(two.root, 'src/main.ts', 'edited')
  two.commit('second')
  expect(two.taken()).toContain('Changed and not committed: src/main.ts.')
  git(two.root, 'commit', '-qm', 'Ours', 'src/main.ts')
  expect(two.taken()).toContain('changed the same lines of src/main.ts. Nothing was changed.')
  expect(readFileSync(join(two.root, 'product.config.ts'), 'utf8')).toBe('ours')
})

it.each<[string, string, string?]>([
  ['a file', 'new/deep/file'],
  ['an ignored file', 'new/deep/file', 'ignored'],
  ['a file in the place of a folder', 'new'],
  ['a folder in the place of a file', 'new/deep/file/mine'],
  ['a link to a folder', 'new', '/tmp'],
  ['a link to nowhere', 'new', 'not-there'],
])('refuses %s that git does not know where something comes', (_, path, kind) => {
  const two = repositories()
  write(two.upstream, 'new/deep/file', 'theirs')
  const second = two.commit('second')
  if (kind === 'ignored') write(two.root, '.git/info/exclude', 'new\n')
  if (kind === undefined || kind === 'ignored') write(two.root, path, 'mine')
  else symlinkSync(kind, join(two.root, path))
  expect(two.taken()).toContain(`of files here that git does not know: ${path}. Move`)
  rmSync(join(two.root, 'new'), { recursive: true })
  mkdirSync(join(two.root, 'new/deep'), { recursive: true })
  expect(two.taken()).toBe(second)
})

it('goes into no repository that a branch names within it, and asks no address that is a command', () => {
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
  whole(two)
  expect(readdirSync(join(two.root, 's'))).toEqual([])
  git(two.root, 'remote', 'set-url', 'origin', `ext::${program} %S`)
  expect(two.taken()).toContain("transport 'ext' not allowed")
  expect(hasRun()).toBe(false)
})

it('runs no hook, no program that watches files, and no filter, merge or look that a branch says alone', () => {
  const two = repositories()
  const { program, hasRun } = trap(two.folder)
  const names = ['post-checkout', 'post-merge', 'post-index-change', 'reference-transaction']
  for (const name of [...names, 'pre-auto-gc', 'post-rewrite'])
    write(two.root, `.git/hooks/${name}`, readFileSync(program, 'utf8'), 0o755)
  git(two.root, 'config', 'core.fsmonitor', program)
  const kinds = ['filter', 'merge', 'diff'].map((name) => `* ${name}=theirs\n`).join('')
  const settings = [
    ...[`[filter "theirs"]\n\tsmudge = ${program}\n\tclean = ${program}\n\trequired`],
    ...[`[merge "theirs"]\n\tdriver = ${program}`, `[diff "theirs"]\n\tcommand = ${program}`],
    ...[`[core]\n\tfsmonitor = ${program}\n\tsshCommand = ${program}`],
  ].join('\n')
  write(two.upstream, '.gitattributes', kinds)
  for (const path of ['.gitconfig', '.lfsconfig', 'config', 'bare/config'])
    write(two.upstream, path, settings)
  write(two.upstream, 'bare/HEAD', 'ref: refs/heads/main\n')
  for (const path of ['bare/objects/x', 'bare/refs/x']) write(two.upstream, path, '')
  two.commit('second')
  whole(two)
  expect(existsSync(join(two.root, '.gitattributes'))).toBe(true)
  expect(hasRun()).toBe(false)
  // The hooks and what watches files would have, by git itself.
  git(two.root, 'status')
  expect(hasRun()).toBe(true)
})

it('runs nothing of the operator’s on what is only looked at, and takes a commit for what it is', () => {
  const two = repositories()
  const { program, hasRun } = trap(two.folder)
  const elsewhere = two.foreign()
  write(two.upstream, '.gitattributes', '* filter=lfs\n')
  const second = two.commit('second')
  operatorsSettings(`filter.lfs.smudge=${program}`, `filter.lfs.process=${program}`)
  git(two.root, 'fetch', '-q', 'origin', 'foreign')
  git(two.root, 'fetch', '-q', 'origin')
  git(two.root, 'replace', second, elsewhere)
  expect(two.taken()).toBe(second)
  expect(hasRun()).toBe(false)
  operatorsSettings('core.pager=cat')
  whole(two)
  expect(readFileSync(join(two.root, 'src/main.ts'), 'utf8')).toBe('second')
})
