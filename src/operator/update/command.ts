import { spawn } from 'node:child_process'
import { OperatorError } from '../terminal/operator-error.ts'

export interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv | undefined
  readonly uid?: number | undefined
  readonly gid?: number | undefined
  /** Lets it say what it says to whoever called us. */
  readonly isShown?: boolean
}

/** Runs a program to its end. @throws OperatorError where there is none of that name. */
export function runCommand(
  program: string,
  args: readonly string[],
  { isShown = false, ...options }: CommandOptions,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const stdio = isShown ? 'inherit' : 'pipe'
    const child = spawn(program, args, { ...options, stdio: ['ignore', stdio, stdio] })
    const said = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        said[name] += text
      })
    child.on('error', (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === 'ENOENT' ? new OperatorError(`${program} is not there.`, { cause }) : cause,
      ),
    )
    child.on('close', (status) => resolve({ status: status ?? 1, ...said }))
  })
}

/** The last lines of what a program said before it failed. */
export function lastLines({ stdout, stderr }: Ended, count = 12): string {
  return (stderr.trim() || stdout.trim()).split('\n').slice(-count).join('\n')
}
