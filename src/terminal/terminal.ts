import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { type OutputFile, outputFile } from '../store/output-file.ts'
import { OperatorError } from './operator-error.ts'
import type { Out } from './out.ts'
import { colored, plain, printable } from './style.ts'

/** The standard streams of a process. */
export interface Streams {
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean }
}

export interface TerminalOptions {
  /** File for the result, instead of standard output. */
  readonly output?: string | undefined
  /** The data folder, whose files no result may replace. */
  readonly dataDir?: string
  /** Whether colours are allowed; see https://no-color.org */
  readonly color: boolean
}

/** An `Out` and how to end it. A result file appears only when it is complete. */
export interface Terminal {
  readonly out: Out
  keep(): Promise<void>
  discard(): Promise<void>
}

const PROGRESS_MS = 200
const PLAIN_PROGRESS_MS = 10_000

export function terminal(
  { stdout, stderr }: Streams,
  { output, dataDir, color }: TerminalOptions,
): Terminal {
  const file = output === undefined ? undefined : begun(output, dataDir)
  const result = file ? createWriteStream(file.unfinished, { flags: 'r+' }) : stdout
  let failure: Error | undefined
  if (output !== undefined && file)
    result.on('error', (cause: Error) => {
      failure = cannotBeWritten(output, cause)
    })
  const isLive = stderr.isTTY === true
  let shown = false
  let lastProgress = performance.now()

  const clear = () => {
    if (shown) stderr.write('\r\u001b[2K')
    shown = false
  }

  /** Turns every error of the file into an OperatorError. */
  async function orFailure(work: Promise<unknown>) {
    await work.catch((error) => {
      throw failure ?? error
    })
    if (failure) throw failure
  }

  async function write(text: string | Uint8Array) {
    if (!file) clear()
    const part = typeof text === 'string' ? printable(text) : text
    if (!result.write(part)) await orFailure(once(result, 'drain'))
  }

  return {
    out: {
      write,
      json: (value) => write(`${JSON.stringify(value)}\n`),
      say(text) {
        clear()
        stderr.write(`${printable(text)}\n`)
      },
      progress(text) {
        const now = performance.now()
        if (now - lastProgress < (isLive ? PROGRESS_MS : PLAIN_PROGRESS_MS)) return
        lastProgress = now
        clear()
        stderr.write(isLive ? printable(text) : `${printable(text)}\n`)
        shown = isLive
      },
      isLive,
      style: color && !output && stdout.isTTY ? colored : plain,
      width: stdout.columns ?? 80,
    },
    async keep() {
      clear()
      if (!file || output === undefined) return
      result.end()
      await orFailure(finished(result))
      try {
        file.keep()
      } catch (cause) {
        throw cannotBeWritten(output, cause as Error)
      }
    },
    async discard() {
      clear()
      if (!file) return
      result.destroy()
      file.discard()
    },
  }
}

/** Begins the file before other work, to find its errors first. @throws OperatorError */
function begun(file: string, dataDir = ''): OutputFile {
  try {
    return outputFile(file, dataDir)
  } catch (cause) {
    throw cannotBeWritten(file, cause as Error)
  }
}

function cannotBeWritten(file: string, cause: Error): OperatorError {
  const { code } = cause as NodeJS.ErrnoException
  const why = code === 'ENOENT' ? `there is no folder ${dirname(file)}` : cause.message
  return new OperatorError(`${file}: cannot be written: ${why}`, { cause })
}
