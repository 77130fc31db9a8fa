import { spawn } from 'node:child_process'
import { SetupError } from './setup-error.mjs'

/** @typedef {(output: string, failure: string) => string} Explain */

/** What runs now; two steps may at the same time. @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set()

/** How a command ended that is not there. */
export const NOT_FOUND = 'not found'

/**
 * Runs a command behind one line (`Installing … 12 s`). The command's output is collected and shown
 * only if it fails, or if `notes` asks for it.
 *
 * @param {string} title
 * @param {[string, ...string[]]} command
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, explain?: Explain, notes?: boolean,
 *   out?: NodeJS.WriteStream, after?: Promise<unknown> | undefined }} options
 *   `after` is a step that runs meanwhile, whose line comes first; `explain` makes the closing line
 *   of a failure from what was printed and how it ended; `notes` says that what it prints on standard
 *   output is for a person; `out` is where all goes.
 */
export async function step(title, command, options) {
  const { cwd, env = process.env, after, explain, notes = false, out = process.stdout } = options
  const started = performance.now()
  const running = run(command, cwd, env, out)
  await after?.catch(() => {}) // Its failure is its own caller's.
  out.write(`${title} … `)
  const { output, said, failure } = await running
  if (failure === undefined) {
    out.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`)
    if (notes) out.write(said)
    return
  }
  out.write('failed\n\n')
  process.stderr.write(`${output.trimEnd()}\n\n`)
  throw new SetupError(explain?.(output, failure) ?? `${title} failed: ${failure}.`)
}

/**
 * @param {[string, ...string[]]} command
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.WriteStream} out
 * @returns {Promise<{ output: string, said: string, failure?: string }>} `said`: on standard
 *   output.
 */
function run([file, ...args], cwd, env, out) {
  return new Promise((resolve, reject) => {
    /** @type {NodeJS.Signals | undefined} */
    let stopped
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      stopped ??= signal
      child.kill(signal)
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
    const settle = () => {
      children.delete(child)
      process.off('SIGINT', stop).off('SIGTERM', stop)
    }

    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    children.add(child)
    let output = ''
    let said = ''
    child.stdout.on('data', (text) => {
      said += text
    })
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    child.on('error', (cause) => {
      settle()
      if ('code' in cause && cause.code === 'ENOENT') resolve({ output, said, failure: NOT_FOUND })
      else reject(new Error(`${file} could not be run`, { cause }))
    })
    child.on('close', (code, signal) => {
      settle()
      if (stopped) {
        // The last one ends us: none is left that writes without the lock of this start.
        if (children.size > 0) return
        out.write('stopped\n')
        process.exit(stopped === 'SIGINT' ? 130 : 143)
      }
      if (code === 0) resolve({ output, said })
      else resolve({ output, said, failure: signal ?? `exit code ${code}` })
    })
  })
}
