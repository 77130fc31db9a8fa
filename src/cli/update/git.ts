import { readdirSync, rmSync } from 'node:fs'
import { OperatorError } from '../../terminal/operator-error.ts'
import { type Ended, lastLines, program } from './programs.ts'

/** Git in one checkout. */
export interface Git {
  /** @returns what it printed, without the last line end. @throws OperatorError where it fails. */
  (args: readonly string[]): string
  /** The same, where a failure is an answer. */
  ask(args: readonly string[]): Ended
}

/** Overrides git's settings, so that it starts no program for us, and reads nothing else. */
const settings = [
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'submodule.recurse=false'],
  ...['protocol.ext.allow=never', 'user.name=opening-bell update', 'user.email=update@localhost'],
  ...['fetch.unpackLimit=1', 'gc.auto=0', 'maintenance.auto=false'],
].flatMap((one) => ['-c', one])

/** More than any version of ours has. */
const MOST_FILES = 100_000
const MOST_BYTES = 2 ** 30

/** @param mostBytes of a file that it may write: a fetch comes in one. */
export function gitIn(root: string, mostBytes = MOST_BYTES): Git {
  const env = { ...process.env, LC_ALL: 'C', GIT_NO_REPLACE_OBJECTS: '1' }
  // In blocks of 512 bytes, as in POSIX. With the signal off, git names a file that is too large.
  const limited = `trap '' XFSZ; ulimit -f ${mostBytes / 512} 2>/dev/null; exec git "$@"`
  const ask = (args: readonly string[]) =>
    program('sh', ['-c', limited, 'git', ...settings, ...args], { cwd: root, env })
  const git = (args: readonly string[]) => {
    const ended = ask(args)
    if (ended.status === 0) return ended.stdout.replace(/\n$/, '')
    throw new OperatorError(`git ${args.slice(0, 2).join(' ')}: ${lastLines(ended)}`)
  }
  return Object.assign(git, { ask })
}

/**
 * Fetches the newest commit of the branch that this checkout follows, by its id: somebody may push a
 * tag or a branch with a similar name.
 *
 * @returns the branch in words, and the commit. @throws OperatorError
 */
export function fetchNewest(git: Git): { name: string; commit: string } {
  const [remote, branch] = followed(git)
  const name = `${branch} of ${remote}`
  // The whole name: a tag can be called `refs/heads/…` as well.
  const listed = linesOf(git(['ls-remote', '--', remote, branch])).map((line) => line.split('\t'))
  const commit = listed.find(([, ref]) => ref === branch)?.[0]
  if (commit === undefined) throw new OperatorError(`There is no ${name}. Nothing was changed.`)
  const packs = git(['rev-parse', '--path-format=absolute', '--git-path', 'objects/pack'])
  const before = readdirSync(packs)
  const only = ['--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--refmap=']
  // Without a `+`, git refuses what lacks commits that the branch had.
  const kept = `${commit}:${branch.replace('refs/heads', `refs/remotes/${remote}`)}`
  const fetched = git.ask(['fetch', ...only, '--', remote, kept])
  if (fetched.status !== 0) {
    // Leftovers of a pack that git could not write would fill the disk over several tries.
    for (const left of readdirSync(packs))
      if (left.startsWith('tmp_') && !before.includes(left)) rmSync(`${packs}/${left}`)
    throw new OperatorError(
      fetched.stderr.includes('(non-fast-forward)')
        ? `${name} was rewritten: it lacks commits that it had. Ask who did that; "git fetch" takes it. Nothing was changed.`
        : `git fetch ${remote}: ${lastLines(fetched)}. Nothing was changed.`,
    )
  }
  refuseHuge(git, commit)
  return { name, commit }
}

/** @returns the remote, and the full name of its branch. */
function followed(git: Git): [remote: string, branch: string] {
  // The full name, since the short one may be that of a tag.
  const here = git.ask(['symbolic-ref', '-q', 'HEAD']).stdout.trim().replace('refs/heads/', '')
  const all = (key: string) =>
    linesOf(git.ask(['config', '--get-all', `branch.${here}.${key}`]).stdout)
  const [[remote = '', ...others], [branch = '', ...more]] = [all('remote'), all('merge')]
  const isOne = others.length + more.length === 0 && branch.startsWith('refs/heads/')
  if (isOne && linesOf(git(['remote'])).includes(remote)) return [remote, branch]
  throw new OperatorError(
    'This branch follows no branch of a remote: "git branch --set-upstream-to=origin/main" says which.',
  )
}

/** Refuses a few kilobytes that are files for a whole disk: git stores equal files once. */
export function refuseHuge(git: Git, commit: string): void {
  const listed = git.ask(['ls-tree', '-r', '-l', '-z', '--full-tree', commit])
  // Mode, kind, id, size and name of each; a submodule has no size.
  const sizes = listed.stdout.split('\0').map((line) => Number(line.split(/\s+/, 4)[3]) || 0)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (listed.status === 0 && sizes.length <= MOST_FILES && bytes <= MOST_BYTES) return
  throw new OperatorError('It has more than 100,000 files, or 1 GiB. Nothing was changed.')
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')
