import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Everything that is written goes here, and is removed at the end. */
export const workFolder = mkdtempSync(join(tmpdir(), 'opening-bell-bench-'))

const running = new Map<ChildProcess, NodeJS.Signals>()

export interface Running {
  readonly pid: number
  /** What its line of readiness matched. */
  readonly ready: RegExpExecArray
  stop(): Promise<void>
}

interface StartOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> {
  /** Matches the line by which it says that it is ready. */
  readonly ready: RegExp
  readonly stopSignal?: NodeJS.Signals
}

/**
 * Starts a process and waits until it is ready. However the benchmark ends, the process does too.
 *
 * @throws with what it printed, when it ends instead.
 */
export async function start(
  command: string,
  args: readonly string[],
  { ready, stopSignal = 'SIGTERM', ...options }: StartOptions,
): Promise<Running> {
  // A group of its own, because some start others and end before them.
  const child = spawn(command, args, { ...options, detached: true, stdio: 'pipe' })
  running.set(child, stopSignal)
  const ended = once(child, 'close').finally(() => running.delete(child))
  let output = ''
  const match = await new Promise<RegExpExecArray>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', (line) => {
        output += `${line}\n`
        const found = ready.exec(line)
        if (found) resolve(found)
      })
    ended.then(
      ([code]) => reject(new Error(`${command} ended with ${code}:\n${output}`)),
      (cause) => reject(new Error(`${command} could not be started`, { cause })),
    )
  })
  return {
    pid: child.pid as number,
    ready: match,
    async stop() {
      signalGroup(child, stopSignal)
      await ended
    },
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals) {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // It has just ended.
  }
}

/** Ends what still runs and removes what was written. */
export async function cleanUp(): Promise<void> {
  for (const [child, signal] of running) signalGroup(child, signal)
  await Promise.all([...running.keys()].map((child) => once(child, 'close').catch(() => {})))
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
