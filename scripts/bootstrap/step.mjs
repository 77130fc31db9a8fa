import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SetupError } from './setup-error.mjs'

/**
 * Runs a command behind one line (`Installing … 12 s`). What it prints is shown only if it fails; what
 * is on standard output, also where `notes` asks for it.
 *
 * @param {string} title
 * @param {string[]} command
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, notes?: boolean, failure?: string,
 *   out?: Pick<NodeJS.WriteStream, 'write'> }} options `failure` is the closing line of one.
 */
export async function step(title, [file = '', ...args], options) {
  const { notes = false, failure = `${title} failed.`, out = process.stdout, ...where } = options
  const started = performance.now()
  out.write(`${title} … `)
  /** @type {NodeJS.Signals | undefined} */
  let stopped
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    stopped ??= signal
    running.child.kill(signal)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const running = promisify(execFile)(file, args, { ...where, maxBuffer: Number.POSITIVE_INFINITY })
  // It has ended before we do, so that it never goes on without the lock of this start.
  const [ended] = await Promise.allSettled([running])
  process.off('SIGINT', stop).off('SIGTERM', stop)
  if (stopped) {
    out.write('stopped\n')
    process.exit(stopped === 'SIGINT' ? 130 : 143)
  }
  if (ended.status === 'rejected') {
    const { code, stdout, stderr } = ended.reason
    out.write('failed\n\n')
    process.stderr.write(`${`${stdout}${stderr}`.trimEnd()}\n\n`)
    if (code !== 'ENOENT') throw new SetupError(failure)
    throw new SetupError(
      `${file} was not found. It comes with Node: https://nodejs.org/en/download`,
    )
  }
  out.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`)
  if (notes) out.write(ended.value.stdout)
}
