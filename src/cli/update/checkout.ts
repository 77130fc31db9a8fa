import { rmSync } from 'node:fs'
import { OperatorError } from '../../terminal/operator-error.ts'
import { type Git, gitIn } from './git.ts'

/** What can stand in the checkout: a commit, and its tree with the founder's edits that have none. */
export interface Version {
  readonly commit: string
  readonly tree: string
}

export interface Plan {
  /** The full name of the branch here. */
  readonly branch: string
  readonly old: Version
  readonly next: Version
}

/** The files that a founder edits without a commit: words, logo, letters. */
export const foundersOwn = ['product.config.ts', 'brand', 'public', 'letters']

/**
 * Merges a commit with the founder's commits and edits, beside the checkout.
 *
 * @throws OperatorError for edits of the code, a merge under way, lines that both changed, and what would
 *   be lost.
 */
export function plan(git: Git, commit: string): Plan {
  const [head, branch] = [git(['rev-parse', 'HEAD']), git(['symbolic-ref', 'HEAD'])]
  const others = ['.', ...foundersOwn.map((one) => `:!${one}`)]
  const edited = git(['status', '--porcelain', '--untracked-files=no', '--', ...others])
  const isMerging = git.ask(['rev-parse', '-q', '--verify', 'MERGE_HEAD']).status === 0
  if (edited !== '' || isMerging)
    throw new OperatorError(
      `Changed and not committed: ${some(edited.split('\n').map((line) => line.slice(3))) || 'a merge'}. To keep that, "git commit" it. Nothing was changed.`,
    )
  const edits = inCommit(git)
  const parents = ['-p', head, '-p', commit, '-m', 'Update Opening Bell']
  const after = isIn(git, head, commit)
    ? commit
    : git(['commit-tree', merged(git, head, commit), ...parents])
  const old = { commit: head, tree: git(['rev-parse', `${edits}^{tree}`]) }
  const next = { commit: after, tree: merged(git, edits, after) }
  refuseInTheWay(git, old.tree, next.tree)
  // Protects what no branch has from git's garbage collection.
  git(['update-ref', 'refs/opening-bell/before', edits])
  return { branch, old, next }
}

export const isIn = (git: Git, one: string, other: string) =>
  git.ask(['merge-base', '--is-ancestor', one, other]).status === 0

/**
 * Makes a version in a new folder, as a worktree of this checkout, which also keeps it from git's garbage
 * collection.
 */
export function makeIn(git: Git, folder: string, { commit, tree }: Version): void {
  git(['worktree', 'add', '-q', '--no-checkout', '--detach', folder, commit])
  gitIn(folder)(['read-tree', '-m', '-u', tree])
}

/** Puts one version in the place of another; each of the commands changes nothing if it was done before. */
export function go(git: Git, branch: string, from: Version, to: Version): void {
  // What a killed git left, which was ours.
  rmSync(git(['rev-parse', '--path-format=absolute', '--git-path', 'index.lock']), { force: true })
  // What was edited since, or is half written, stays in a commit.
  git(['read-tree', from.tree])
  git(['update-ref', 'refs/opening-bell/found', inCommit(git)])
  git(['read-tree', '--reset', '-u', to.tree])
  git(['update-ref', '--no-deref', branch, to.commit])
  git(['read-tree', to.commit])
  git.ask(['update-index', '-q', '--refresh'])
}

/** What has no commit, in one without a branch; the branch's own where nothing differs. */
function inCommit(git: Git): string {
  const isSame = git(['status', '--porcelain', '--untracked-files=no']) === ''
  return git(isSame ? ['rev-parse', 'HEAD'] : ['stash', 'create'])
}

/** @returns the tree of both. @throws OperatorError where they change the same lines. */
function merged(git: Git, ours: string, theirs: string): string {
  const merge = ['merge-tree', '--write-tree', '--name-only', '--no-messages', ours, theirs]
  const found = git.ask(merge)
  const [tree = '', ...paths] = found.stdout.trimEnd().split('\n')
  if (found.status === 0) return tree
  throw new OperatorError(
    found.status === 1
      ? `You and the update changed the same lines of ${some(paths)}. Nothing was changed. Where you edit: commit, "git merge ${theirs}", and push; then run this again.`
      : `git could not merge; 2.38 or newer is needed: ${git(['--version'])}.`,
  )
}

/** Refuses if a file that git does not know, ignored or not, would be lost to one that comes. */
function refuseInTheWay(git: Git, own: string, edits: string): void {
  const comes = git(['diff', '--name-only', '--no-renames', '--diff-filter=A', '-z', own, edits])
  const coming = comes.split('\0').filter((path) => path !== '')
  const tops = new Set(coming.map((path) => `:(literal)${path.split('/', 1)}`))
  if (tops.size === 0) return
  const unknown = git(['ls-files', '--others', '-z', '--', ...tops]).split('\0')
  // Another repository has a slash at its end. Each is in the way as a path, above one, or below one.
  const found = unknown.filter((one) =>
    coming.some(
      (path) => `${path}/`.startsWith(one.replace(/\/?$/, '/')) || one.startsWith(`${path}/`),
    ),
  )
  if (found.length > 0)
    throw new OperatorError(
      `The update brings files with the names of files here that git does not know: ${some(found)}. Move or rename those, and start again. Nothing was changed.`,
    )
}

/** The first few of many, such as `a, b …`. */
const some = (paths: readonly string[]) =>
  paths.slice(0, 5).join(', ') + (paths.length > 5 ? ' …' : '')
