import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { standStill } from './stand-still.ts'

/** A running program. Its output is always read, so that it never blocks on a full pipe. */
export interface Program {
  readonly pid: number
  /** Resolves with its exit code, or the signal that ended it, when all it printed is read. */
  readonly ended: Promise<number | NodeJS.Signals>
  isRunning(): boolean
  /** What it printed so far: on one stream, or on both in the order in which it came. */
  output(stream?: 'stdout' | 'stderr'): string
  /**
   * Resolves with the first match in its output.
   *
   * @throws what it printed, when it ends without one.
   */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal to the program alone. @returns whether it was there to get it. */
  signal(signal: NodeJS.Signals): boolean
  /** Suspends it with SIGSTOP until `resume`; resolves when it is suspended. */
  pause(): Promise<void>
  resume(): boolean
  /** Sends a signal to the program and all it started, as Ctrl-C does; only for a group. */
  signalGroup(signal: NodeJS.Signals): boolean
  /** Sends a signal, wakes it if it was stopped, and waits for its end. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

export interface ProgramOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> {
  /** Gives it a process group of its own, as a terminal would. */
  readonly group?: boolean
  /** Where what it prints on standard error goes: into `output`, or on to ours. */
  readonly stderr?: 'output' | 'ours'
}

const running = new Set<() => boolean>()

/** Starts a program, which ends with this process at the latest. */
export function startProgram(
  command: string,
  args: readonly string[],
  { group = false, stderr = 'output', ...options }: ProgramOptions = {},
): Program {
  const child = spawn(command, args, {
    ...options,
    detached: group,
    stdio: ['ignore', 'pipe', stderr === 'ours' ? 'inherit' : 'pipe'],
  })
  const said = { stdout: '', stderr: '', both: '' }
  const listeners = new Set<() => void>()
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text
      said.both += text
      for (const look of listeners) look()
    })

  let failure: Error | undefined
  child.on('error', (error) => {
    failure = error
  })
  const kill = () => (group ? signalGroup('SIGKILL') : child.kill('SIGKILL'))
  running.add(kill)
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.on('close', (code, signal) => {
      running.delete(kill)
      resolve(signal ?? code ?? 0)
    }),
  )
  const isRunning = () => child.exitCode === null && child.signalCode === null && !failure
  const signalGroup = (signal: NodeJS.Signals) => sendToGroup(child, signal)

  return {
    pid: child.pid ?? 0,
    ended,
    isRunning,
    output: (stream) => said[stream ?? 'both'],
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(said.both)
          if (!match) return
          listeners.delete(look)
          resolve(match)
        }
        listeners.add(look)
        look()
        ended.then((code) => {
          const message = `${command} ended (${code}) without ${pattern}:\n${said.both}`
          reject(new Error(message, { cause: failure }))
        })
      }),
    signal: (signal) => child.kill(signal),
    async pause() {
      if (child.kill('SIGSTOP') && child.pid !== undefined) await standStill(child.pid)
    },
    resume: () => child.kill('SIGCONT'),
    signalGroup,
    end(signal = 'SIGTERM') {
      child.kill(signal)
      // A process that stands still hears nothing but SIGKILL.
      child.kill('SIGCONT')
      return ended
    },
  }
}

function sendToGroup({ pid }: ChildProcess, signal: NodeJS.Signals): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal)
  } catch {
    // All of its processes have ended.
    return false
  }
}

/** Kills all that was started here and still runs. */
export function killAll(): void {
  for (const kill of running) kill()
}
process.on('exit', killAll)
