import { readdirSync, rmSync } from 'node:fs'
import { environment } from '../../product/environment.ts'
import { OperatorError } from '../../terminal/operator-error.ts'
import { must } from './programs.ts'

/** Git in one checkout. @returns what it printed. @throws OperatorError where it fails. */
export type Git = (...args: readonly string[]) => string

/** Overrides git's settings, so that it starts no program for us, and reads nothing else. */
const settings = [
  ...['core.hooksPath=/dev/null', 'core.fsmonitor=false', 'submodule.recurse=false'],
  ...['protocol.ext.allow=never', 'user.name=opening-bell update', 'user.email=update@localhost'],
  ...['fetch.unpackLimit=1', 'gc.auto=0', 'maintenance.auto=false'],
].flatMap((one) => ['-c', one])

/** One for all that we make: what is made again is the same commit. */
const now = new Date().toISOString()

/** More than any version of ours has. */
const MOST_FILES = 100_000
const MOST_BYTES = 2 ** 30

/** @param mostBytes of a file that it may write: a fetch comes in one. */
export function gitIn(root: string, mostBytes = MOST_BYTES): Git {
  const dates = { GIT_AUTHOR_DATE: now, GIT_COMMITTER_DATE: now }
  const env = { ...environment, ...dates, LC_ALL: 'C', GIT_NO_REPLACE_OBJECTS: '1' }
  // In blocks of 512 bytes, as in POSIX. With the signal off, git names a file that is too large.
  const limited = `trap '' XFSZ; ulimit -f ${mostBytes / 512} 2>/dev/null; exec git "$@"`
  return (...args) => {
    const all = ['-c', limited, 'git', ...settings, ...args]
    return must(`git ${args[0]}:`, 'sh', all, { cwd: root, env })
  }
}

/**
 * Fetches the newest commit of the branch that this checkout follows, by its id: somebody may push a
 * tag or a branch with a similar name.
 *
 * @returns the branch in words, and the commit. @throws OperatorError
 */
export function fetchNewest(git: Git): { name: string; commit: string } {
  const format = '--format=%(upstream:remotename) %(upstream:remoteref) %(upstream)'
  const here = git('rev-parse', '--symbolic-full-name', 'HEAD')
  const [remote = '', branch = '', kept = ''] = git('for-each-ref', format, here).split(' ')
  if (kept === '' || remote === '.')
    throw new OperatorError(
      'This branch follows no branch of a remote: "git branch --set-upstream-to=origin/main" says which.',
    )
  const name = `${branch} of ${remote}`
  // The whole name: a tag can be called `refs/heads/…` as well.
  const listed = git('ls-remote', '--', remote, branch).split('\n')
  const [commit] = listed.find((line) => line.endsWith(`\t${branch}`))?.split('\t') ?? []
  if (commit === undefined) throw new OperatorError(`There is no ${name}. Nothing was changed.`)
  const packs = git('rev-parse', '--path-format=absolute', '--git-path', 'objects/pack')
  const before = readdirSync(packs)
  const only = ['--no-tags', '--no-recurse-submodules', '--no-write-fetch-head', '--refmap=']
  try {
    // Without a `+`, git refuses what lacks commits that the branch had.
    git('fetch', ...only, '--', remote, `${commit}:${kept}`)
  } catch (cause) {
    // Leftovers of a pack that git could not write would fill the disk over several tries.
    for (const left of readdirSync(packs))
      if (left.startsWith('tmp_') && !before.includes(left)) rmSync(`${packs}/${left}`)
    throw new OperatorError(
      `${(cause as Error).message}\nNothing was changed. If ${name} was rewritten, ask who did that; "git fetch" takes it.`,
    )
  }
  refuseHuge(git, commit)
  return { name, commit }
}

/** Refuses a few kilobytes that are files for a whole disk: git stores equal files once. */
export function refuseHuge(git: Git, commit: string): void {
  // Mode, kind, id, size and name of each; a submodule has no size.
  const files = git('ls-tree', '-r', '-l', '-z', '--full-tree', commit).split('\0')
  const bytes = files.reduce((sum, line) => sum + (Number(line.split(/\s+/, 4)[3]) || 0), 0)
  if (files.length > MOST_FILES || bytes > MOST_BYTES)
    throw new OperatorError('It has more than 100,000 files, or 1 GiB. Nothing was changed.')
}
