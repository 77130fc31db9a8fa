import { lstatSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../terminal/operator-error.ts'
import { fetchNewest, type Git } from './git.ts'

/** The commits of an update. `own` and `edits` are `head` and `after` with edits that have no commit. */
export interface Plan {
  /** The full name of the branch here. */
  readonly branch: string
  readonly head: string
  readonly own: string
  readonly after: string
  readonly edits: string
}

/** The files that a founder edits without a commit: words, logo, letters. */
const foundersOwn = ['product.config.ts', 'brand', 'public', 'letters']

/**
 * Fetches the new version and merges it with the founder's commits and edits, beside the checkout.
 *
 * @param index a file for an index of ours. @returns `undefined` if nothing is new. @throws OperatorError
 */
export function look(git: Git, root: string, index: string) {
  const [head, branch] = [git(['rev-parse', 'HEAD']), git(['symbolic-ref', 'HEAD'])]
  const { name, commit } = fetchNewest(git)
  const isIn = (one: string, other: string) =>
    git.ask(['merge-base', '--is-ancestor', one, other]).status === 0
  if (isIn(commit, head)) return undefined
  refuseOtherEdits(git)
  const [own, parents] = [snapshot(git, index, head), ['-p', head, '-p', commit]]
  const after = isIn(head, commit)
    ? commit
    : git(['commit-tree', merged(git, head, commit), ...parents, '-m', 'Update Opening Bell'])
  const edits =
    own === head
      ? after
      : git(['commit-tree', merged(git, own, after), '-p', after, '-m', 'With what has no commit'])
  refuseInTheWay(git, root, index, own, edits)
  // Protects commits without a branch from git's garbage collection.
  git(['update-ref', 'refs/opening-bell/before', own])
  git(['update-ref', 'refs/opening-bell/after', edits])
  return { plan: { branch, head, own, after, edits }, name, commit }
}

/** @throws OperatorError where something was committed or edited here since, or came in the way. */
export function refuseChanged(git: Git, root: string, index: string, plan: Plan): void {
  const { branch, head, own, edits } = plan
  refuseOtherEdits(git)
  const isSame = git.ask(['diff', '--quiet', snapshot(git, index, head), own]).status === 0
  if (!isSame || git(['rev-parse', branch]) !== head)
    throw new OperatorError(
      'Something changed here meanwhile, so nothing was updated: start again.',
    )
  refuseInTheWay(git, root, index, own, edits)
}

/** Changes places; each of the commands changes nothing if it was done before. */
export function go(git: Git, index: string, plan: Plan, way: 'forth' | 'back'): void {
  const { branch, head, own, after, edits } = plan
  const [than, onto, commit] = way === 'forth' ? [own, edits, after] : [edits, own, head]
  // Leftovers of a killed git, which were all ours.
  for (const left of [index, join(git(['rev-parse', '--absolute-git-dir']), 'index')])
    rmSync(`${left}.lock`, { force: true })
  // What was edited since, or is half written, stays in a commit.
  git(['read-tree', than], { index })
  git(['add', '--update'], { index })
  const found = ['commit-tree', git(['write-tree'], { index }), '-p', than, '-m', 'As it was found']
  git(['update-ref', 'refs/opening-bell/found', git(found)])
  git(['read-tree', '--reset', '-u', onto], { index })
  git(['update-ref', '--no-deref', branch, commit])
  git(['read-tree', commit])
  git.ask(['update-index', '-q', '--refresh'])
}

/** @throws OperatorError for a merge under way, and for edits of the code. */
function refuseOtherEdits(git: Git): void {
  const status = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no']
  const paths = namesIn(git(status)).map((line) => line.slice(3))
  const isOwn = (path: string) => foundersOwn.some((one) => `${path}/`.startsWith(`${one}/`))
  const others = paths.filter((path) => !isOwn(path))
  const isMerging = git.ask(['rev-parse', '-q', '--verify', 'MERGE_HEAD']).status === 0
  if (others.length > 0 || isMerging)
    throw new OperatorError(
      `Changed and not committed: ${some(others) || 'a merge'}. To keep that, "git commit" it. Nothing was changed.`,
    )
}

/** The founder's own files, as they are now, in a commit without a branch; `head` where nothing differs. */
function snapshot(git: Git, index: string, head: string): string {
  git(['read-tree', head], { index })
  // Deleted files count as well, and git fails for a path that matches nothing.
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--']
  const paths = [...new Set(namesIn(git([...listed, ...foundersOwn], { index })))]
  if (paths.length > 0) git(['add', '--all', '--', ...paths], { index })
  const tree = git(['write-tree'], { index })
  if (tree === git(['rev-parse', `${head}^{tree}`])) return head
  return git(['commit-tree', tree, '-p', head, '-m', 'What has no commit'])
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
function refuseInTheWay(git: Git, root: string, index: string, own: string, edits: string): void {
  git(['read-tree', own], { index })
  const comes = ['diff', '--name-only', '--no-renames', '--diff-filter=A', '-z', own, edits]
  const places = new Set(namesIn(git(comes)).flatMap((path) => reached(root, path) ?? []))
  if (places.size === 0) return
  const literally = [...places].map((path) => `:(literal)${path}`)
  const found = namesIn(git(['ls-files', '--others', '-z', '--', ...literally], { index }))
  if (found.length > 0)
    throw new OperatorError(
      `The update brings files with the names of files here that git does not know: ${some(found)}. Move those out of ${root}, or rename them, and start again. Nothing was changed.`,
    )
}

/** @returns the first of the folders on the way to a path that is none, or the path, if it is there. */
function reached(root: string, path: string): string | undefined {
  const above = dirname(path)
  const before = above === '.' ? undefined : reached(root, above)
  if (above !== '.' && !(before && lstatSync(join(root, before)).isDirectory())) return before
  return lstatSync(join(root, path), { throwIfNoEntry: false }) && path
}

const namesIn = (text: string) => text.split('\0').filter((name) => name !== '')

/** The first few of many, such as `a, b …`. */
const some = (paths: readonly string[]) =>
  paths.slice(0, 5).join(', ') + (paths.length > 5 ? ' …' : '')
