import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ProgramOptions, startProgram } from '../scripts/program.ts'

/** Everything that is written goes here, and is removed at the end. */
export const workFolder = mkdtempSync(join(tmpdir(), 'opening-bell-bench-'))

const running = new Set<() => Promise<void>>()

export interface Running {
  /** What its line of readiness matched. */
  readonly ready: RegExpExecArray
  stop(): Promise<void>
}

interface StartOptions extends Pick<ProgramOptions, 'env'> {
  /** Matches the line by which it says that it is ready. */
  readonly ready: RegExp
}

/**
 * Starts a process and waits until it is ready. However the benchmark ends, the process does too.
 *
 * @throws with what it printed, when it ends instead.
 */
export async function start(
  command: string,
  args: readonly string[],
  { ready, ...options }: StartOptions,
): Promise<Running> {
  // A process group of its own, because some programs start others and end before them.
  const program = startProgram(command, args, { ...options, group: true })
  const stop = async () => {
    program.signalGroup('SIGTERM')
    await program.ended
  }
  running.add(stop)
  program.ended.then(() => running.delete(stop))
  return { ready: await program.printed(ready), stop }
}

/** Ends what still runs. */
export const stopAll = () => Promise.all([...running].map((stop) => stop()))

/** The same, and removes what was written. */
export async function cleanUp(): Promise<void> {
  await stopAll()
  rmSync(workFolder, { recursive: true, force: true })
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, async () => {
    await cleanUp()
    process.exit(code)
  })
