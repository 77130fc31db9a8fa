import { refused } from '../refusal.ts'
import { type Ended, lastLines, runCommand } from './command.ts'

/** Git in one checkout. */
export interface Git {
  /** @returns what it printed, without the last line end. @throws Refused where it fails. */
  (args: readonly string[], more?: GitOptions): Promise<string>
  /** The same, where a failure is an answer. */
  ask(args: readonly string[], more?: GitOptions): Promise<Ended>
}

export interface GitOptions {
  /** Another index than the checkout's own, so that a killed run leaves that alone. */
  readonly index?: string
  /** The largest file that it may write, in blocks of 512 bytes. */
  readonly mostBlocks?: number
}

/** A name for merges, since git may not know the operator's on a server. */
const someone = {
  GIT_AUTHOR_NAME: 'opening-bell update',
  GIT_AUTHOR_EMAIL: 'update@localhost',
  GIT_COMMITTER_NAME: 'opening-bell update',
  GIT_COMMITTER_EMAIL: 'update@localhost',
}

/** Overrides git's settings, so that it starts no program for us, and reads nothing else. */
const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'submodule.recurse=false',
  'protocol.ext.allow=never',
].flatMap((one) => ['-c', one])

/** Limits for foreign repositories, which may be of any size. */
const WITHIN_MS = 600_000
const MOST_SAID = 2 ** 26

export function gitIn(root: string): Git {
  const ask = (args: readonly string[], { index, mostBlocks }: GitOptions = {}) => {
    // With the signal off, a file that is too large is an error that git names.
    const limited = [
      'sh',
      '-c',
      `trap '' XFSZ; ulimit -f ${mostBlocks} 2>/dev/null; exec "$@"`,
      'sh',
    ]
    const [program = 'git', ...before] = [...(mostBlocks ? limited : []), 'git']
    return runCommand(program, [...before, ...settings, ...args], {
      cwd: root,
      env: {
        ...process.env,
        ...someone,
        LC_ALL: 'C',
        GIT_NO_REPLACE_OBJECTS: '1',
        ...(index && { GIT_INDEX_FILE: index }),
      },
      withinMs: WITHIN_MS,
      mostSaid: MOST_SAID,
    })
  }
  const git = async (args: readonly string[], more?: GitOptions) => {
    const ended = await ask(args, more)
    if (ended.status === 0) return ended.stdout.replace(/\n$/, '')
    const what = args.slice(0, 2).join(' ')
    if (ended.isCut) throw refused({ code: 'too-much-for-git', args: what })
    throw refused({ code: 'git-failed', args: what, said: lastLines(ended, 4) })
  }
  return Object.assign(git, { ask })
}
