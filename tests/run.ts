import { spawn } from 'node:child_process'
import { onTestFinished } from 'vitest'

/** A command under way, in a process group of its own, as a terminal would have it. */
export interface Run {
  /** Resolves with its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
  /** All that it printed so far. */
  output(): string
  /** Resolves with the first match in its output; fails when it ends without one. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal to the command alone. */
  signal(signal: NodeJS.Signals): void
  /** Sends a signal to every process of the group, as Ctrl-C does. */
  signalAll(signal: NodeJS.Signals): void
}

/** Runs a command until it ends, or the test does. */
export function run(
  cwd: string,
  [command, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = {},
): Run {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const onOutput = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const look of onOutput) look()
    })
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on('close', (code, signal) => resolve(signal ?? code)),
  )
  const signalAll = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  }
  onTestFinished(async () => {
    try {
      signalAll('SIGKILL')
    } catch {
      // All have ended.
    }
    await ended
  })
  return {
    ended,
    output: () => output,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output)
          if (match) resolve(match)
        }
        onOutput.add(look)
        look()
        ended.then((code) => reject(new Error(`ended (${code}) without ${pattern}:\n${output}`)))
      }),
    signal: (signal) => child.kill(signal),
    signalAll,
  }
}
