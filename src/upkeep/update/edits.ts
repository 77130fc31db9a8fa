import { rmSync } from 'node:fs'
import { refused } from '../refusal.ts'
import type { Git } from './git.ts'

/** The files that a founder edits without a commit: words, logo, letters. */
export const foundersOwn = ['product.config.ts', 'brand', 'public', 'letters'] as const

const isOwn = (path: string) =>
  foundersOwn.some((one) => path === one || path.startsWith(`${one}/`))

/** @throws Refused for edits of the code. */
export async function refuseOtherEdits(git: Git): Promise<void> {
  const status = await git([
    'status',
    '--porcelain=v1',
    '-z',
    '--no-renames',
    '--untracked-files=no',
  ])
  const paths = status.split('\0').map((line) => line.slice(3))
  const others = paths.filter((path) => path !== '' && !isOwn(path))
  if (others.length > 0) throw refused({ code: 'uncommitted', paths: others })
}

/**
 * The founder's own files, as they are now, in a commit without a branch.
 *
 * @param index a file for it. @returns the commit; `head` itself if nothing differs.
 */
export async function snapshot(git: Git, index: string, head: string): Promise<string> {
  rmSync(index, { force: true })
  await git(['read-tree', head], { index })
  // Deleted files count as well, and git fails for a path that matches nothing.
  const listed = await git(
    ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...foundersOwn],
    { index },
  )
  const paths = [...new Set(listed.split('\0'))].filter((path) => path !== '')
  if (paths.length > 0) await git(['add', '--all', '--', ...paths], { index })
  const tree = await git(['write-tree'], { index })
  if (tree === (await git(['rev-parse', `${head}^{tree}`]))) return head
  return git(['commit-tree', tree, '-p', head, '-m', 'Edits that are not committed'])
}

/** @returns the tree of both. @throws Refused where they change the same lines. */
export async function mergedTree(git: Git, ours: string, theirs: string): Promise<string> {
  const found = await git.ask([
    'merge-tree',
    '--write-tree',
    '--name-only',
    '--no-messages',
    ours,
    theirs,
  ])
  const [tree = '', ...paths] = found.stdout.trimEnd().split('\n')
  if (found.status === 0) return tree
  if (found.status !== 1) throw refused({ code: 'old-git', version: await git(['--version']) })
  throw refused({ code: 'conflict', paths, theirs })
}
