import { spawn } from 'node:child_process'

/** How long a tool may take to end after it was asked to stop. */
const STOP_MS = 5000

/**
 * Runs a tool: in sight of the person, or, given `onOutput`, with all that it prints going there.
 *
 * When this process is told to stop, the tool is, once, with all that it started; then this
 * process ends.
 *
 * @param tool found on the PATH, where the project's own come first.
 * @returns how it failed; undefined when it did not.
 */
export async function runTool(
  tool: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  onOutput?: (text: string) => void,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let stopped: NodeJS.Signals | undefined
    const stop = (signal: NodeJS.Signals) => {
      if (stopped) return
      stopped = signal
      child.kill('SIGINT')
      setTimeout(killGroup, STOP_MS)
    }
    const killGroup = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // All of its processes have ended.
      }
    }
    // Before the tool starts, so that it can never survive this process.
    process.on('SIGINT', stop).on('SIGTERM', stop)
    // In a process group of its own, a tool gets Ctrl-C only once, from us; some abort at a second
    // one.
    const child = spawn(tool, args, {
      stdio: onOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, ...env },
      detached: true,
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => onOutput?.(text))
    child.on('error', (cause) => reject(new Error(`${tool} could not be run`, { cause })))
    // Not `exit`: what it printed last may come after that.
    child.on(onOutput ? 'close' : 'exit', (code: number | null, signal: NodeJS.Signals | null) => {
      if (stopped) {
        killGroup()
        console.log('\nStopped.')
        process.exit(stopped === 'SIGINT' ? 130 : 143)
      }
      process.off('SIGINT', stop).off('SIGTERM', stop)
      resolve(code === 0 ? undefined : signal ? `ended by ${signal}` : `exit code ${code}`)
    })
  })
}
