import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../terminal/operator-error.ts'
import { lastLines } from './command.ts'
import type { Git } from './git.ts'

/** A branch of a remote, and where git keeps what it had when it was fetched last. */
interface Upstream {
  readonly remote: string
  readonly branch: string
  /** For a person, such as `origin/main`. */
  readonly name: string
  readonly ref: string
}

export interface Fetched {
  readonly name: string
  readonly commit: string
}

/** What is fetched comes in one file of at most 1 GiB, in blocks of 512 bytes as POSIX has them. */
const MOST_BLOCKS = 2 ** 21

/**
 * Fetches one branch, without its tags, and no other name: a tag or a branch that somebody else may push
 * can have the name of this one.
 *
 * @param from such as `origin/main`; otherwise the branch that this checkout follows.
 * @param to a commit of it, in full, in place of the newest one.
 * @returns the commit. From here on only its id counts. @throws OperatorError
 */
export async function fetchUpstream(git: Git, from?: string, to?: string): Promise<Fetched> {
  const upstream = from === undefined ? await followed(git) : await namedBy(git, from)
  const { name, ref } = upstream
  await refuseAmbiguous(git, upstream)
  await refuseGone(git, upstream)
  await fetchBranch(git, upstream)
  const newest = await git(['show-ref', '--verify', '--hash', ref])
  return { name, commit: to === undefined ? newest : await commitOf(git, name, newest, to) }
}

/** @param mostBlocks how large it may be. @throws OperatorError */
export async function fetchBranch(
  git: Git,
  { remote, branch, name, ref }: Upstream,
  mostBlocks = MOST_BLOCKS,
): Promise<void> {
  // Without a plus before it, git takes only what has all that it had.
  const refspec = `refs/heads/${branch}:${ref}`
  const packs = await git(['rev-parse', '--path-format=absolute', '--git-path', 'objects/pack'])
  const before = readdirSync(packs)
  const fetched = await git.ask(
    [
      ...['-c', 'fetch.unpackLimit=1', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false'],
      ...['fetch', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--refmap='],
      ...['--', remote, refspec],
    ],
    { mostBlocks },
  )
  if (fetched.status === 0) return
  // What git leaves of a pack that it could not write would fill the disk, one try after the other.
  for (const left of readdirSync(packs))
    if (left.startsWith('tmp_') && !before.includes(left)) rmSync(join(packs, left))
  if (/\[rejected\].*non-fast-forward/.test(fetched.stderr))
    throw new OperatorError(
      `${name} was rewritten: it does not have all that it had when it was fetched before. Ask who did that. If it is right, "git fetch --no-tags ${remote} +${refspec}" takes it, and the same command goes on. Nothing was changed.`,
    )
  if (fetched.isCut || fetched.stderr.includes('File too large'))
    throw new OperatorError(
      `What is new in ${name} is larger than 1 GiB, or takes longer than ten minutes, and is not taken. Nothing was changed.`,
    )
  throw new OperatorError(`git fetch ${remote}: ${lastLines(fetched, 4)}`)
}

/** @throws OperatorError where this checkout follows no branch of a remote, or several. */
async function followed(git: Git): Promise<Upstream> {
  // In full: where a tag has its name too, the short one is another.
  const head = (await git.ask(['symbolic-ref', '-q', 'HEAD'])).stdout
    .trim()
    .replace('refs/heads/', '')
  const all = async (key: string) =>
    linesOf((await git.ask(['config', '--get-all', `branch.${head}.${key}`])).stdout)
  const [remote = '', ...others] = await all('remote')
  const [merge = '', ...more] = await all('merge')
  const isOne = others.length + more.length === 0 && merge.startsWith('refs/heads/')
  if (isOne && (await remotes(git)).includes(remote))
    return upstreamOf(remote, merge.slice('refs/heads/'.length))
  throw new OperatorError(
    'This branch follows none of a remote: say where the update comes from, such as --from origin/main.',
  )
}

async function namedBy(git: Git, from: string): Promise<Upstream> {
  const known = await remotes(git)
  const [remote, ...others] = known.filter((one) => from.startsWith(`${one}/`))
  if (remote === undefined)
    throw new OperatorError(
      `--from takes a branch of a remote, such as ${known[0] ?? 'origin'}/main; ${from} is none. Nothing was changed.`,
    )
  if (others.length > 0)
    throw new OperatorError(
      `--from ${from} is ambiguous: it may be of ${[remote, ...others].join(' or of ')}. Give one of them another name with "git remote rename". Nothing was changed.`,
    )
  const branch = from.slice(remote.length + 1)
  if ((await git.ask(['check-ref-format', `refs/heads/${branch}`])).status !== 0)
    throw new OperatorError(`--from: ${branch} cannot be the name of a branch.`)
  // Here it stands for whatever branch the remote calls its main one, and there it may be another.
  if (branch === 'HEAD')
    throw new OperatorError(
      `--from takes a branch by its own name: ${from} stands for another one.`,
    )
  return upstreamOf(remote, branch)
}

const upstreamOf = (remote: string, branch: string): Upstream => {
  const name = `${remote}/${branch}`
  return { remote, branch, name, ref: `refs/remotes/${name}` }
}

/** What has its name would be taken for it where a person looks at it by that name. */
async function refuseAmbiguous(git: Git, { name }: Upstream) {
  const others = [`refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`]
  const found = linesOf(await git(['for-each-ref', '--format=%(refname)', ...others]))
  const other = found.find((ref) => others.includes(ref))
  if (other !== undefined)
    throw new OperatorError(
      `${name} is ambiguous: ${other} has the same name. Ask who made that; "git update-ref -d ${other}" takes it away here. Nothing was changed.`,
    )
}

/** Where there is no such branch any more, git fetches a tag or a branch that is called `refs/heads/…`. */
async function refuseGone(git: Git, { remote, branch }: Upstream) {
  const ref = `refs/heads/${branch}`
  const listed = await git(['ls-remote', '--', remote, ref])
  if (linesOf(listed).some((line) => line.endsWith(`\t${ref}`))) return
  throw new OperatorError(
    `${remote} has no branch ${branch}. If it was renamed, name the one that took its place: --from ${remote}/<branch>. Nothing was changed.`,
  )
}

async function commitOf(git: Git, name: string, newest: string, to: string): Promise<string> {
  // Anything shorter may be the name of something else.
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(to))
    throw new OperatorError('--to takes the whole id of a commit, as --check shows it.')
  const { status } = await git.ask(['merge-base', '--is-ancestor', to, newest])
  if (status === 0) return to
  throw new OperatorError(`${name} has no commit ${to}. Nothing was changed.`)
}

const remotes = async (git: Git) => linesOf(await git(['remote']))

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')
