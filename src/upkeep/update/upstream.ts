import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { refused } from '../refusal.ts'
import { lastLines } from './command.ts'
import type { Git } from './git.ts'

/** A branch of a remote, and git's ref of its last fetch. */
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

/** More than any version of ours has. */
const MOST_FILES = 100_000
const MOST_GIBIBYTES = 1

/** A fetch comes in one file of at most 1 GiB, in blocks of 512 bytes as in POSIX. */
const MOST_BLOCKS = 2 ** 21

/**
 * Fetches one branch, without its tags, and by its full name: an attacker may push a tag or a
 * branch with a similar name.
 *
 * @param from such as `origin/main`; otherwise the branch that this checkout follows.
 * @param to a commit of it, in full, in place of the newest one.
 * @returns the commit. From here on only its id counts. @throws Refused
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

/** @param mostBlocks how large it may be. @throws Refused */
export async function fetchBranch(
  git: Git,
  { remote, branch, name, ref }: Upstream,
  mostBlocks = MOST_BLOCKS,
): Promise<void> {
  // Without a plus before it, git takes only a fast-forward.
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
  // Leftovers of a pack that git could not write would fill the disk over several tries.
  for (const left of readdirSync(packs))
    if (left.startsWith('tmp_') && !before.includes(left)) rmSync(join(packs, left))
  if (/\[rejected\].*non-fast-forward/.test(fetched.stderr))
    throw refused({ code: 'branch-rewritten', name, remote, refspec })
  if (fetched.isCut || fetched.stderr.includes('File too large'))
    throw refused({ code: 'branch-too-large', name })
  throw refused({ code: 'git-failed', args: `fetch ${remote}`, said: lastLines(fetched, 4) })
}

/** @throws Refused where this checkout follows no branch of a remote, or several. */
async function followed(git: Git): Promise<Upstream> {
  // The full name, since the short one may be that of a tag.
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
  throw refused({ code: 'follows-nothing' })
}

async function namedBy(git: Git, from: string): Promise<Upstream> {
  const known = await remotes(git)
  const [remote, ...others] = known.filter((one) => from.startsWith(`${one}/`))
  if (remote === undefined) throw refused({ code: 'unknown-branch', from, remote: known[0] })
  if (others.length > 0)
    throw refused({ code: 'ambiguous-remote', from, remotes: [remote, ...others] })
  const branch = from.slice(remote.length + 1)
  if ((await git.ask(['check-ref-format', `refs/heads/${branch}`])).status !== 0)
    throw refused({ code: 'no-branch-name', branch })
  // `HEAD` is an alias for the remote's main branch, which may differ there.
  if (branch === 'HEAD') throw refused({ code: 'branch-of-another-name', from })
  return upstreamOf(remote, branch)
}

const upstreamOf = (remote: string, branch: string): Upstream => {
  const name = `${remote}/${branch}`
  return { remote, branch, name, ref: `refs/remotes/${name}` }
}

/** Refuses if another ref has the same short name, which would mislead a person. */
async function refuseAmbiguous(git: Git, { name }: Upstream) {
  const others = [`refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`]
  const found = linesOf(await git(['for-each-ref', '--format=%(refname)', ...others]))
  const other = found.find((ref) => others.includes(ref))
  if (other !== undefined) throw refused({ code: 'ambiguous-branch', name, other })
}

/**
 * Refuses a missing branch: git would fetch a tag or branch that is called `refs/heads/…` instead.
 */
async function refuseGone(git: Git, { remote, branch }: Upstream) {
  const ref = `refs/heads/${branch}`
  const listed = await git(['ls-remote', '--', remote, ref])
  if (linesOf(listed).some((line) => line.endsWith(`\t${ref}`))) return
  throw refused({ code: 'branch-gone', remote, branch })
}

async function commitOf(git: Git, name: string, newest: string, to: string): Promise<string> {
  // A shorter text may be another name.
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(to)) throw refused({ code: 'short-commit' })
  const { status } = await git.ask(['merge-base', '--is-ancestor', to, newest])
  if (status === 0) return to
  throw refused({ code: 'unknown-commit', name, to })
}

const remotes = async (git: Git) => linesOf(await git(['remote']))

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')

/**
 * Refuses a huge commit: a repository of a few kilobytes can have files for a whole disk, since git
 * stores equal files once.
 *
 * @throws Refused if a commit has more than any version of ours.
 */
export async function refuseHuge(git: Git, commit: string): Promise<void> {
  const listed = await git.ask(['ls-tree', '-r', '-l', '-z', '--full-tree', commit])
  // Mode, kind, id, size and name of each; a submodule has no size.
  const sizes = listed.stdout.split('\0').map((line) => Number(line.split(/\s+/, 4)[3]) || 0)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (!listed.isCut && sizes.length <= MOST_FILES && bytes <= MOST_GIBIBYTES * 2 ** 30) return
  throw refused({ code: 'version-too-large', files: MOST_FILES, gibibytes: MOST_GIBIBYTES })
}
