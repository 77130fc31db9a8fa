import { rmSync } from 'node:fs'
import { OperatorError } from '../../terminal/operator-error.ts'
import { type Git, gitIn } from './git.ts'

export interface Plan {
  /** The full name of the branch here. */
  readonly branch: string
  readonly old: string
  readonly next: string
  /** The founder's edits that have no commit, as git stashes them; empty where there are none. */
  readonly edits: string
}

/** The files that a founder edits without a commit: words, logo, letters. */
export const foundersOwn = ['product.config.ts', 'brand', 'public', 'letters']

/**
 * Merges a commit with the founder's commits and edits, beside the checkout.
 *
 * @throws OperatorError for edits of the code, lines that both changed, and what would be lost.
 */
export function plan(git: Git, commit: string): Plan {
  const others = ['.', ...foundersOwn.map((one) => `:!${one}`)]
  const edited = git('status', '--porcelain', '--untracked-files=no', '--', ...others)
  if (edited !== '')
    throw new OperatorError(
      `Changed and not committed: ${some(edited.split('\n').map((line) => line.slice(3)))}. To keep that, "git commit" it. Nothing was changed.`,
    )
  const [branch, old, edits] = [git('symbolic-ref', 'HEAD'), git('rev-parse', 'HEAD'), stash(git)]
  const parents = ['-p', old, '-p', commit, '-m', 'Update Opening Bell']
  const next = isIn(git, old, commit)
    ? commit
    : git('commit-tree', merged(git, old, commit), ...parents)
  if (edits) merged(git, edits, next)
  refuseInTheWay(git, old, next)
  return { branch, old, next, edits }
}

export const isIn = (git: Git, one: string, other: string) =>
  git('rev-list', '--count', '-1', one, `^${other}`) === '0'

/** Makes the new version in a new folder, as a worktree of this checkout. */
export function makeIn(git: Git, folder: string, { next, edits }: Plan): void {
  git('worktree', 'add', '-q', '--detach', folder, next)
  if (edits) gitIn(folder)('stash', 'apply', '-q', edits)
}

/** Puts one version in the place of the other, again if it was done before, or half of it. */
export function go(git: Git, { branch, edits, ...versions }: Plan, to: 'old' | 'next'): void {
  // What a killed git left, which was ours.
  rmSync(git('rev-parse', '--path-format=absolute', '--git-path', 'index.lock'), { force: true })
  // So git knows each file of the other. What was edited since, or is half written, stays in a commit.
  git('read-tree', versions[to === 'next' ? 'old' : 'next'])
  git('symbolic-ref', 'HEAD', branch)
  git('update-ref', 'refs/opening-bell/found', stash(git) || 'HEAD')
  git('reset', '-q', '--hard', versions[to])
  if (edits) git('stash', 'apply', '-q', edits)
}

/** What has no commit, in one without a branch; empty where nothing differs. */
const stash = (git: Git) =>
  git('status', '--porcelain', '--untracked-files=no') && git('stash', 'create')

/** @returns the tree of both. @throws OperatorError where they change the same lines. */
function merged(git: Git, ours: string, theirs: string): string {
  try {
    return git('merge-tree', '--write-tree', '--name-only', '--no-messages', ours, theirs)
  } catch (error) {
    const { status, stdout } = (error as Error).cause as { status: number; stdout: string }
    if (status !== 1) throw error
    const [_tree, ...paths] = stdout.trimEnd().split('\n')
    throw new OperatorError(
      `You and the update changed the same lines of ${some(paths)}. Nothing was changed. Where you edit: commit, "git merge ${theirs}", and push; then run this again.`,
    )
  }
}

/** Refuses if a file that git does not know, ignored or not, would be lost to one that comes. */
function refuseInTheWay(git: Git, old: string, next: string): void {
  const added = ['--name-only', '--no-renames', '--diff-filter=A', '-z']
  const coming = git('diff', ...added, old, next)
    .split('\0')
    .filter(Boolean)
  const tops = new Set(coming.map((path) => `:(literal)${path.split('/', 1)}`))
  const unknown = git('ls-files', '--others', '-z', '--', ...tops)
    .split('\0')
    .filter(Boolean)
  const isIn = (path: string, folder: string) =>
    // Another repository has a slash at its end.
    `${path}/`.startsWith(folder.replace(/\/?$/, '/'))
  const found = unknown.filter((one) => coming.some((path) => isIn(path, one) || isIn(one, path)))
  if (found.length > 0)
    throw new OperatorError(
      `The update brings files with the names of files here that git does not know: ${some(found)}. Move or rename those, and start again. Nothing was changed.`,
    )
}

/** The first few of many, such as `a, b …`. */
const some = (paths: readonly string[]) =>
  paths.slice(0, 5).join(', ') + (paths.length > 5 ? ' …' : '')
