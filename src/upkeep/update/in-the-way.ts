import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { refused } from '../refusal.ts'
import type { Git } from './git.ts'
import type { Plan } from './source.ts'

/**
 * Refuses if files that git does not know would be lost to the update: a file to a file, a file or
 * a link to a folder, and a whole folder to a file.
 *
 * @param index a file for one of ours. @throws Refused
 */
export async function refuseInTheWay(
  git: Git,
  root: string,
  index: string,
  { head = '', own = '', after = '' }: Plan,
): Promise<void> {
  const list = async (args: readonly string[]) =>
    (await git(args, { index })).split('\0').filter((path) => path !== '')
  await git(['read-tree', head], { index })
  // Renamed files appear at a new path as well as new ones.
  const added = await list([
    'diff',
    '--name-only',
    '--no-renames',
    '--diff-filter=A',
    '-z',
    head,
    after,
  ])
  const known = new Set(await list(['ls-files', '-z']))
  // Uncommitted files of the founder's own are merged.
  const merged = new Set(await list(['ls-tree', '-r', '-z', '--name-only', own]))

  const found = new Set<string>()
  for (const path of added) {
    const there = reached(root, path)
    if (!there) continue
    if (!there.isFolder) {
      if (!known.has(there.path) && !(there.path === path && merged.has(path)))
        found.add(there.path)
    } else if (there.path === path)
      for (const one of await list(['ls-files', '--others', '-z', '--', `:(literal)${path}`]))
        found.add(one)
  }
  if (found.size > 0) throw refused({ code: 'in-the-way', root, paths: [...found] })
}

/** @returns the first of the folders on the way to a path that is none, or what is at the path. */
function reached(root: string, path: string): { path: string; isFolder: boolean } | undefined {
  const above = dirname(path)
  const before = above === '.' ? undefined : reached(root, above)
  if (above !== '.' && !before?.isFolder) return before
  const stat = lstatSync(join(root, path), { throwIfNoEntry: false })
  return stat && { path, isFolder: stat.isDirectory() }
}
