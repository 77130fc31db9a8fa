import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SetupError } from './setup-error.mjs'

/**
 * @typedef {{ command: [string, ...string[]], cwd: string, env?: NodeJS.ProcessEnv }} Command
 * @typedef {import('node:child_process').ExecFileException & { stdout: string, stderr: string }} Failure
 */

/**
 * Runs commands at once behind one line (`Installing … 12 s`). What they print is shown only if one
 * fails; what is on standard output, also where `notes` asks for it.
 *
 * @param {string} title
 * @param {Command[]} commands
 * @param {{ explain?: (failure: Failure) => string, notes?: boolean,
 *   out?: Pick<NodeJS.WriteStream, 'write'> }} [options] `explain` makes the closing line of a failure.
 */
export async function step(title, commands, options = {}) {
  const { explain = () => `${title} failed.`, notes = false, out = process.stdout } = options
  const started = performance.now()
  out.write(`${title} … `)
  const running = commands.map(({ command: [file, ...args], ...where }) =>
    promisify(execFile)(file, args, { ...where, maxBuffer: Number.POSITIVE_INFINITY }),
  )
  /** @type {NodeJS.Signals | undefined} */
  let stopped
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    stopped ??= signal
    for (const { child } of running) child.kill(signal)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  // None is left that writes without the lock of this start.
  const ended = await Promise.allSettled(running)
  process.off('SIGINT', stop).off('SIGTERM', stop)
  if (stopped) {
    out.write('stopped\n')
    process.exit(stopped === 'SIGINT' ? 130 : 143)
  }
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed) {
    out.write('failed\n\n')
    const { stdout, stderr } = failed.reason
    process.stderr.write(`${`${stdout}${stderr}`.trimEnd()}\n\n`)
    throw new SetupError(explain(failed.reason))
  }
  out.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  for (const one of ended) if (notes && one.status === 'fulfilled') out.write(one.value.stdout)
}
