import { spawn } from 'node:child_process'
import { SetupError } from './setup-error.mjs'

/**
 * @typedef {{ command: [string, ...string[]], cwd: string, env?: NodeJS.ProcessEnv }} Command
 * @typedef {(output: string, failure: string) => string} Explain makes the closing line of a failure,
 *   from what was printed and how it ended.
 */

/** How a command ended that is not there. */
export const NOT_FOUND = 'not found'

/**
 * Runs commands at once behind one line (`Installing … 12 s`). What they print is shown only if one
 * fails; what is on standard output, also where `notes` asks for it.
 *
 * @param {string} title
 * @param {Command[]} commands
 * @param {{ explain?: Explain, notes?: boolean, out?: NodeJS.WriteStream }} [options]
 */
export async function step(title, commands, options = {}) {
  const { explain, notes = false, out = process.stdout } = options
  const started = performance.now()
  out.write(`${title} … `)
  const running = commands.map(run)
  /** @type {NodeJS.Signals | undefined} */
  let stopped
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    stopped ??= signal
    for (const { child } of running) child.kill(signal)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  // None is left that writes without the lock of this start.
  const ended = await Promise.all(running.map(({ ended }) => ended))
  process.off('SIGINT', stop).off('SIGTERM', stop)
  if (stopped) {
    out.write('stopped\n')
    process.exit(stopped === 'SIGINT' ? 130 : 143)
  }
  const failed = ended.find(({ failure }) => failure !== undefined)
  if (failed?.failure === undefined) {
    out.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`)
    if (notes) for (const { said } of ended) out.write(said)
    return
  }
  const { output, failure } = failed
  out.write('failed\n\n')
  process.stderr.write(`${output.trimEnd()}\n\n`)
  throw new SetupError(explain?.(output, failure) ?? `${title} failed: ${failure}.`)
}

/** @param {Command} command */
function run({ command: [file, ...args], cwd, env = process.env }) {
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  /** @type {Promise<{ output: string, said: string, failure?: string }>} */
  const ended = new Promise((resolve, reject) => {
    child.on('error', (cause) => {
      if ('code' in cause && cause.code === 'ENOENT') resolve({ output, said, failure: NOT_FOUND })
      else reject(new Error(`${file} could not be run`, { cause }))
    })
    child.on('close', (code, signal) => {
      if (code === 0) resolve({ output, said })
      else resolve({ output, said, failure: signal ?? `exit code ${code}` })
    })
  })
  return { child, ended }
}
