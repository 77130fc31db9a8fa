/** @module-tag thorough */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { snapshot } from '../../../src/upkeep/update/edits.ts'
import { gitIn } from '../../../src/upkeep/update/git.ts'
import { gitSource } from '../../../src/upkeep/update/git-source.ts'
import { refuseInTheWay } from '../../../src/upkeep/update/in-the-way.ts'
import { tempDir } from '../../fixtures/temp-dir.ts'
import { worded } from '../worded.ts'
import { git } from './founder.ts'
import { withTwoCheckouts } from './repositories.ts'

function write(root: string, path: string, text = 'mine') {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const twoCheckouts = withTwoCheckouts((upstream) => {
  for (const path of ['src/known.ts', 'notes-of-ours/known.md', 'brand/mark.svg'])
    write(
      upstream,
      path,
      `${path}, ${'a line that makes it long enough to be found again. '.repeat(9)}`,
    )
  write(upstream, '.gitignore', '/.update/\n/data/\n')
  commit(upstream)
})

function commit(upstream: string) {
  git(upstream, 'add', '-A')
  git(upstream, 'commit', '-q', '-m', 'A version')
}

/** Two checkouts, and a version of the first that the second does not have. */
function behind(change: (upstream: string) => void) {
  const { upstream, root } = twoCheckouts()
  change(upstream)
  commit(upstream)
  git(root, 'fetch', '-q')
  const head = git(root, 'rev-parse', 'HEAD')
  const after = git(root, 'rev-parse', 'origin/main')
  const work = join(root, '.update')
  mkdirSync(work)
  const source = gitSource(root, work)
  /** As an update looks, with the founder's edits that are not committed. */
  const look = async () => {
    const [here, index] = [gitIn(root), join(work, 'index')]
    const own = await snapshot(here, index, head)
    await refuseInTheWay(here, root, index, { head, own, after })
  }
  const why = () =>
    worded(look()).then(
      () => undefined,
      ({ message }: Error) => message,
    )
  return { root, source, why }
}

const refusal = (root: string, names: string) =>
  `The update brings files with the names of files here that git does not know: ${names}. Move those out of ${root}, or rename them, and start again. Nothing was changed.`

it('names a file of the founder’s in the place of a folder that comes', async () => {
  for (const [path, brought] of [
    ['notes', 'notes/deep/readme.md'],
    ['src/notes', 'src/notes/readme.md'],
    ['brand/icons', 'brand/icons/small.svg'],
  ] as const) {
    const { root, why } = behind((upstream) => write(upstream, brought, 'theirs'))
    write(root, path)
    expect(await why()).toBe(refusal(root, path))
    expect(readFileSync(join(root, path), 'utf8')).toBe('mine')
    renameSync(join(root, path), join(root, '..', 'mine'))
    expect(await why()).toBeUndefined()
  }
})

it('names what is in a folder of the founder’s in the place of a file that comes', async () => {
  for (const path of ['notes', 'brand/icons', 'data']) {
    const { root, why } = behind((upstream) => {
      rmSync(join(upstream, '.gitignore'))
      write(upstream, path, 'theirs')
    })
    write(root, `${path}/first.md`)
    write(root, `${path}/deep/second.md`)
    expect(await why()).toBe(refusal(root, `${path}/deep/second.md, ${path}/first.md`))
  }
})

it('names a link, although it leads to a folder or nowhere, and a file where one is renamed to', async () => {
  const { root, why } = behind((upstream) => {
    write(upstream, 'notes/readme.md', 'theirs')
    write(upstream, 'nowhere', 'theirs')
    renameSync(join(upstream, 'src/known.ts'), join(upstream, 'src/renamed.ts'))
  })
  symlinkSync(tempDir(), join(root, 'notes'))
  symlinkSync('not-there', join(root, 'nowhere'))
  write(root, 'src/renamed.ts')
  expect(await why()).toBe(refusal(root, 'notes, nowhere, src/renamed.ts'))
})

it('takes what git knows for nothing in the way, whichever of the two it was', async () => {
  const { root, source, why } = behind((upstream) => {
    rmSync(join(upstream, 'notes-of-ours'), { recursive: true })
    write(upstream, 'notes-of-ours', 'theirs')
    rmSync(join(upstream, 'src/known.ts'))
    write(upstream, 'src/known.ts/first.ts', 'theirs')
  })
  mkdirSync(join(root, 'notes-of-ours/empty'))
  expect(await why()).toBeUndefined()
  // A file that git does not know is lost with the folder that goes.
  write(root, 'notes-of-ours/mine.md')
  expect(await why()).toBe(refusal(root, 'notes-of-ours/mine.md'))
  rmSync(join(root, 'notes-of-ours/mine.md'))
  const plan = (await source.look())?.plan ?? {}
  await source.forth(plan)
  expect(readFileSync(join(root, 'notes-of-ours'), 'utf8')).toBe('theirs')
  expect(existsSync(join(root, 'src/known.ts/first.ts'))).toBe(true)
})

it('looks again before places change', async () => {
  const { root, source } = behind((upstream) => write(upstream, 'notes/readme.md', 'theirs'))
  const plan = (await source.look())?.plan ?? {}
  expect(await source.isAsPlanned(plan)).toBe(true)
  write(root, 'notes')
  await expect(worded(source.look())).rejects.toThrow(refusal(root, 'notes'))
  await expect(worded(source.isAsPlanned(plan))).rejects.toThrow(refusal(root, 'notes'))
})
