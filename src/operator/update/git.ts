import { OperatorError } from '../terminal/operator-error.ts'
import { type Ended, lastLines, runCommand } from './command.ts'

/** Git in one checkout. */
export interface Git {
  /** @returns what it printed, without the last line end. @throws OperatorError where it fails. */
  (args: readonly string[], more?: GitOptions): Promise<string>
  /** The same, where a failure is an answer. */
  ask(args: readonly string[], more?: GitOptions): Promise<Ended>
}

export interface GitOptions {
  /** Another index than the checkout's own, so that a killed run leaves that alone. */
  readonly index?: string
}

/** Whoever merges on a server need not have told git their name. */
const someone = {
  GIT_AUTHOR_NAME: 'opening-bell update',
  GIT_AUTHOR_EMAIL: 'update@localhost',
  GIT_COMMITTER_NAME: 'opening-bell update',
  GIT_COMMITTER_EMAIL: 'update@localhost',
}

export function gitIn(root: string): Git {
  const ask = (args: readonly string[], { index }: GitOptions = {}) =>
    runCommand('git', args, {
      cwd: root,
      env: { ...process.env, ...someone, LC_ALL: 'C', ...(index && { GIT_INDEX_FILE: index }) },
    })
  const git = async (args: readonly string[], more?: GitOptions) => {
    const ended = await ask(args, more)
    if (ended.status === 0) return ended.stdout.replace(/\n$/, '')
    throw new OperatorError(`git ${args.slice(0, 2).join(' ')}: ${lastLines(ended, 4)}`)
  }
  return Object.assign(git, { ask })
}
